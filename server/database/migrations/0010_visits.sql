-- Visits: when a folder's visit is planned, and what people say of the visits of a patient.

-- {kind, anchor, day, before, after, repeating}; null where nothing is planned (core/study/visits/visitPlan.ts).
alter table crf_folder add column schedule jsonb;

-- One row for each visit of which somebody has said something, or that somebody has made. Its id is derived of its key.
create table visit (
  id uuid primary key,
  project_id uuid not null references project,
  patient_id uuid not null references patient,
  folder_id uuid not null,
  -- 0 for the visit that the schedule defines, else a UUIDv7 made on the device.
  folder_repeat text not null,
  actual_date date,
  outcome text check (outcome in ('missed', 'skipped', 'stopped')),
  outcome_reason text,
  deviation_reason text,
  -- Taken back by a person: a mark. Its entries stay.
  removed boolean not null default false,
  -- Whether the folder is part of this patient's casebook, and its place; of the first visit of a folder, and holds for all of it.
  applies boolean not null default true,
  sort integer,
  rev integer not null default 1,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (patient_id, folder_id, folder_repeat)
);
create index visit_project on visit (project_id);

grant select, insert, update on visit to zhenglu_app;
