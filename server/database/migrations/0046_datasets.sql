-- Clinical data as they leave (docs/adr/0049-datasets.md). Contents of runs lie in the file store and are in no backup.

-- What somebody saved to be run again.
create table data_set (
  id uuid primary key,
  project_id uuid not null references project,
  name text not null,
  shared boolean not null,
  definition jsonb not null,
  owner uuid not null references app_user,
  rev integer not null,
  removed boolean not null default false,
  updated_at timestamptz(3) not null
);
create index data_set_list on data_set (project_id) where not removed;
grant select, insert, update on data_set to zhenglu_app;

-- A run, with the definition as it was: the record stays for ever, its file for some days.
create table data_set_run (
  id uuid primary key,
  project_id uuid not null references project,
  set_id uuid references data_set,
  name text not null,
  definition jsonb not null,
  identified boolean not null,
  purpose text not null,
  cross_border text,
  asked_by uuid not null references app_user,
  asked_at timestamptz(3) not null,
  state text not null check (state in ('waiting', 'open', 'done', 'refused', 'cancelled', 'failed')),
  why text,
  -- Who approved or refused it: never who asked for it.
  decided_by uuid references app_user,
  decided_at timestamptz(3),
  decision_note text,
  cancelled_by uuid references app_user,
  -- How often it was begun. Each time its file has other names and another key.
  attempt integer not null default 0,
  done integer not null default 0,
  total integer not null default 0,
  -- What whoever asked could see when it was begun.
  seen jsonb,
  -- Place in the project's trail of the one instant of which the data are.
  seq bigint,
  head text,
  subjects integer,
  tables jsonb not null default '[]',
  hash text,
  bytes bigint,
  pieces integer,
  ended_at timestamptz(3),
  expires_at timestamptz(3),
  downloads integer not null default 0,
  -- Whether its file is deleted.
  swept boolean not null default false,
  check (decided_by is null or decided_by <> asked_by),
  check (not identified or decided_by is not null or state in ('waiting', 'cancelled'))
);
create index data_set_run_list on data_set_run (project_id, asked_at desc, id);
create index data_set_run_sweep on data_set_run (ended_at) where not swept and ended_at is not null;
grant select, insert, update on data_set_run to zhenglu_app;
