-- Signed addresses by which programs outside fetch the file of a de-identified run (docs/adr/0057-analysis-links.md).
create table data_set_link (
  id uuid primary key,
  run_id uuid not null references data_set_run (id),
  purpose text not null,
  made_by uuid not null references app_user (id),
  made_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  ended_by uuid references app_user (id),
  uses integer not null default 0,
  used_at timestamptz(3),
  check ((ended_at is null) = (ended_by is null))
);
create index data_set_link_run on data_set_link (run_id);
grant select, insert, update on data_set_link to zhenglu_app;
