-- The second pass of double entry (docs/adr/0018-double-entry.md). A patient without a row has none that was opened by itself; one whose
-- second pass holds something is being entered all the same.
create table double_entry (
  patient_id uuid primary key references patient,
  project_id uuid not null references project,
  state text not null check (state in ('open', 'merged', 'destroyed')),
  changed_by uuid not null references app_user,
  changed_at timestamptz(3) not null,
  -- How far the passes agreed when they were merged: what the first pass says afterwards tells it no more.
  agreement jsonb
);
create index double_entry_project on double_entry (project_id);

-- Differences that somebody accepted as equivalent, each for the very values that it had.
create table gap_ignored (
  entry_id uuid not null,
  gap_key text not null,
  patient_id uuid not null references patient,
  fingerprint text not null,
  reason text not null,
  ignored_by uuid not null references app_user,
  ignored_at timestamptz(3) not null,
  primary key (entry_id, gap_key)
);
create index gap_ignored_patient on gap_ignored (patient_id);

grant select, insert, update, delete on double_entry, gap_ignored to zhenglu_app;
revoke delete on double_entry from zhenglu_app;
