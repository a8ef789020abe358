-- A draft as it was before each thing that was done to it, to come back to (docs/adr/0029-designer.md). Designers share a draft: it lies here and not on
-- their devices. Bounded: the oldest go (server/areas/version/design/designStateStore.ts).
create table design_state (
  id uuid primary key,
  project_id uuid not null references project,
  version_id uuid not null references crf_version,
  -- What was done to it then: an edit, one that took visits or pages away, an import, a return to an earlier state.
  kind text not null check (kind in ('edit', 'remove', 'import', 'restore')),
  -- The revision that this is, and the one that came of what was done.
  from_rev integer not null,
  to_rev integer not null,
  done_by uuid not null references app_user,
  begun_at timestamptz(3) not null,
  done_at timestamptz(3) not null,
  -- Of an import: the file, and how it was put in.
  source text,
  mode text check (mode in ('add', 'merge', 'replace')),
  -- Names of the visits and pages that it was done to.
  touched jsonb not null,
  -- Visits and the pages in them; the options of pages are in design_text.
  folders jsonb not null
);
create index design_state_version on design_state (version_id, to_rev desc);

-- Options of pages as they were, each once, however many states have it.
create table design_text (
  version_id uuid not null references crf_version,
  sha256 text not null,
  option text not null,
  primary key (version_id, sha256)
);

grant select, insert, update, delete on design_state to zhenglu_app;
grant select, insert, delete on design_text to zhenglu_app;
revoke update on design_text from zhenglu_app;

-- What became of a patient, so that each reader has the log in their own language. Null for what was migrated before this was kept: its log is as it was
-- written then.
alter table migration_patient add column part jsonb;
