-- The bench of rules (docs/adr/0030-rules.md) goes through the entries of one page, by their ids.
create index entry_of_page on entry (page_id, id) where not deleted;

-- Rules that failed although every input was there (ADR 7): where, how often and when, and on which entry last. No values.
create table rule_fault (
  project_id uuid not null references project,
  version_id uuid not null references crf_version,
  page_id uuid not null,
  field text not null,
  role text not null check (role in ('show', 'require', 'readOnlyWhen', 'calculate', 'check')),
  -- Who may see the center's data is told of what failed there.
  center_id uuid not null references center,
  count integer not null default 1,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  last_entry_id uuid not null,
  primary key (project_id, version_id, page_id, field, role, center_id)
);
grant select, insert, update on rule_fault to zhenglu_app;
