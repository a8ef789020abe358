-- How what was entered under one release becomes what the next one has (docs/adr/0028-migration.md): one row a release, written with it and never changed.
create table version_migration (
  version_id uuid primary key references crf_version,
  project_id uuid not null references project,
  -- The release before; null for the first.
  from_version_id uuid references crf_version,
  mappings jsonb not null,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null
);
create index version_migration_project on version_migration (project_id);

-- The work that brings a project's patients to a release.
create table migration_task (
  id uuid primary key,
  project_id uuid not null references project,
  version_id uuid not null references crf_version,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  total integer not null,
  -- Whose release it was, and the language that they read its log in.
  started_by uuid not null references app_user,
  started_by_name text not null,
  role text,
  language text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index migration_task_running on migration_task (started_at) where state = 'running';

-- A patient whose turn has come: written with what became of their entries, or alone where that could not be.
create table migration_patient (
  task_id uuid not null references migration_task,
  patient_id uuid not null references patient,
  state text not null check (state in ('done', 'failed')),
  log text not null,
  at timestamptz(3) not null,
  primary key (task_id, patient_id)
);

-- The release that the patient's entries were brought to: what comes under an older one is mapped.
alter table patient add column migrated_to uuid references crf_version;
-- The revision that a migration made: as long as it is the last, what a change builds on may be what stood before it.
alter table entry add column migrated_rev integer;

-- Regions follow the field that they belong to.
create index attachment_region_entry on attachment_region (entry_id);

grant select, insert on version_migration to zhenglu_app;
grant select, insert, update on migration_task to zhenglu_app;
grant select, insert on migration_patient to zhenglu_app;
revoke update, delete on version_migration, migration_patient from zhenglu_app;
revoke delete on migration_task from zhenglu_app;
