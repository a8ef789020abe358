-- Who enters which pass of a patient (docs/adr/0023-authors-apart.md): one row for each author, from their first write on, for good.
create table pass_author (
  patient_id uuid not null references patient,
  -- Proven by the operation, as the operation's own author is; a reference would be checked for every first write.
  user_id uuid not null,
  pass smallint not null check (pass in (1, 2)),
  primary key (patient_id, user_id)
);
-- Whoever entered both passes until now has entered the one that they began with.
insert into pass_author (patient_id, user_id, pass)
select distinct on (patient_id, user_id) patient_id, user_id, pass
from audit
where patient_id is not null and entry_id is not null and user_id is not null and pass is not null
  and (call like 'entry.%' or call = 'conflict.resolve') and action not in ('operation.held', 'operation.inbox')
order by patient_id, user_id, seq, ord
on conflict do nothing;

grant select, insert on pass_author to zhenglu_app;
revoke update, delete on pass_author from zhenglu_app;

-- A part of a picture that a field rests on (docs/adr/0020-attachments.md). Nobody deletes one: it is taken back.
create table attachment_region (
  -- Made on the device that drew it.
  id uuid primary key,
  attachment_id uuid not null references attachment,
  project_id uuid not null references project,
  entry_id uuid not null,
  table_prop text,
  rid text,
  prop text not null,
  -- Shares of the picture as it lies in the file, from its upper left corner.
  x double precision not null check (x between 0 and 1),
  y double precision not null check (y between 0 and 1),
  width double precision not null check (width > 0 and x + width <= 1.000001),
  height double precision not null check (height > 0 and y + height <= 1.000001),
  note text not null,
  rev integer not null default 1,
  removed boolean not null default false,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  updated_by uuid not null references app_user,
  updated_at timestamptz(3) not null
);
create index attachment_region_of on attachment_region (attachment_id);

grant select, insert, update on attachment_region to zhenglu_app;
revoke delete on attachment_region from zhenglu_app;

-- Messages to patients. What was to be said stays as it was; only how far it is changes. No address: it is read when it is sent.
create table patient_message (
  -- Named to the mail server and to the gateway: the same message sent again is known there.
  id uuid primary key,
  project_id uuid not null references project,
  patient_id uuid not null references patient,
  kind text not null check (kind in ('note', 'email')),
  content text not null,
  state text not null check (state in ('waiting', 'sent', 'failed', 'no_address')),
  -- Why it failed, or why it was not sent the last time.
  why text,
  tries integer not null default 0,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  -- While somebody sends it; whoever finds it here later knows that the sender is gone.
  claimed_at timestamptz(3),
  ended_at timestamptz(3)
);
create index patient_message_of on patient_message (patient_id, created_at desc);
create index patient_message_waiting on patient_message (next_try_at) where state = 'waiting';

grant select, insert, update on patient_message to zhenglu_app;
revoke delete on patient_message from zhenglu_app;
