-- Decisions on conflicts and on what is in the inbox; what devices say of themselves, and blocking them.

alter table conflict
  -- When the value that stands was entered, where that is known.
  add column server_at timestamptz(3),
  -- {choice, to, reason} of whoever decided.
  add column resolution jsonb,
  add column resolved_by uuid references app_user,
  add column resolved_at timestamptz(3),
  add column resolved_op uuid references operation;
create index conflict_project on conflict (project_id, state, created_at);

alter table device
  add column block_reason text,
  add column blocked_by uuid references app_user,
  add column blocked_at timestamptz(3),
  -- When the device found its storage gone, and what it had not sent by its last word before.
  add column storage_lost_at timestamptz(3),
  add column lost_unsent integer;
create index device_key_scope on device_key (scope text_pattern_ops);

-- The subject number that the server gave to an enrolment before it was restored from a backup, where a device says so.
alter table inbox add column number_hint text;

alter table center
  -- Set by a restore: from here up to `next_no` at that time nothing is given out, for it may have been given out since the backup.
  add column forgotten_from integer;
