-- Queries (docs/adr/0045-queries.md). A query is what its acts make of it: the acts are only ever added, the row has
-- their result, so that lists, counts and the badge fold nothing.
create table query (
  id uuid primary key,
  project_id uuid not null references project,
  -- Of the project, in the order in which the server took them in.
  no integer not null,
  patient_id uuid not null references patient,
  folder_id uuid,
  folder_repeat text,
  page_id uuid,
  page_repeat text,
  parent_entry_id uuid,
  pass smallint,
  -- Derived of the place; the entry need not have been begun.
  entry_id uuid,
  table_prop text,
  rid text,
  prop text,
  version_id uuid references crf_version,
  -- The check of the field that asks; null for what a person asks.
  rule text,
  source text not null check (source in ('dataManagement', 'monitor', 'system')),
  state text not null check (state in ('candidate', 'open', 'answered', 'closed', 'cancelled')),
  -- Since when the site has it; null where nobody has decided to ask.
  asked_at timestamptz(3),
  -- Since when it is in its state, or was asked again.
  state_at timestamptz(3) not null,
  text text not null,
  urgent boolean not null default false,
  due_on date,
  -- Null for what a rule asks.
  raised_by uuid references app_user,
  acts integer not null default 1,
  updated_at timestamptz(3) not null,
  unique (project_id, no),
  check ((source = 'system') = (raised_by is null) and (rule is null or source = 'system')),
  check ((entry_id is null) = (page_id is null) and (entry_id is null) = (pass is null)),
  check (state <> 'candidate' or asked_at is null)
);
create index query_state on query (project_id, state, no);
create index query_patient on query (patient_id);
create index query_entry on query (entry_id) where entry_id is not null;
grant select, insert, update on query to zhenglu_app;

-- One act of a person, or what happened to the query by itself. Written once.
create table query_act (
  -- Key of its operation.
  key uuid primary key,
  query_id uuid not null references query,
  sort integer not null,
  act text not null check (
    act in ('raise', 'promote', 'reject', 'answer', 'requery', 'close', 'reopen', 'cancel', 'comment', 'passes', 'gone')),
  effect text not null check (effect in ('applied', 'late', 'overtaken')),
  -- The query's state after it.
  state text not null,
  text text,
  category text check (category in ('corrected', 'confirmed', 'added', 'unobtainable', 'other')),
  content jsonb,
  by_user uuid references app_user,
  role text,
  acted_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  unique (query_id, sort)
);
grant select, insert on query_act to zhenglu_app;

alter table project add column query_count integer not null default 0;
