-- Searches that people keep (docs/adr/0050-database-and-search.md). Every step is in the audit trail.
create table search (
  id uuid primary key,
  project_id uuid not null references project,
  name text not null,
  condition jsonb not null,
  -- Whether everybody in the project who may search sees it.
  shared boolean not null,
  made_by uuid not null references app_user,
  updated_at timestamptz(3) not null,
  removed boolean not null default false
);
create index search_project on search (project_id) where not removed;
grant select, insert, update on search to zhenglu_app;
