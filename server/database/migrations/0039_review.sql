-- Checking values (docs/adr/0046-verification.md): what monitors verified against the source (sdv) and data managers reviewed (dmr).

-- The mark of a field in a track, as it stands. Every step is in the audit trail.
create table review_mark (
  entry_id uuid not null references entry,
  track text not null check (track in ('sdv', 'dmr')),
  table_prop text,
  rid text,
  prop text not null,
  project_id uuid not null references project,
  state text not null check (state in ('verified', 'changed', 'exempt', 'withdrawn')),
  -- What was looked at. A later value that differs makes `changed` of `verified`.
  content jsonb not null,
  method text check (method in ('onSite', 'remote', 'photo')),
  note text,
  by_user uuid not null references app_user,
  at timestamptz(3) not null,
  unique nulls not distinct (entry_id, track, table_prop, rid, prop)
);
grant select, insert, update on review_mark to zhenglu_app;

-- The plan of a track, and its former versions.
create table review_plan (
  id uuid primary key,
  project_id uuid not null references project,
  track text not null check (track in ('sdv', 'dmr')),
  no integer not null,
  plan jsonb not null,
  note text not null,
  made_by uuid not null references app_user,
  made_at timestamptz(3) not null,
  ended_at timestamptz(3),
  unique (project_id, track, no)
);
create unique index review_plan_active on review_plan (project_id, track) where ended_at is null;
grant select, insert, update on review_plan to zhenglu_app;

-- How far a page is checked in a track: follows its data, its marks and the plan. Without a row nothing is due and nothing is marked.
create table review_count (
  entry_id uuid not null references entry,
  track text not null check (track in ('sdv', 'dmr')),
  project_id uuid not null references project,
  patient_id uuid not null references patient,
  -- Whether the page is submitted.
  ready boolean not null,
  due integer not null,
  done integer not null,
  changed integer not null,
  primary key (entry_id, track)
);
create index review_count_to_do on review_count (project_id, track) where ready and done < due;
create index review_count_patient on review_count (patient_id);
grant select, insert, update, delete on review_count to zhenglu_app;
