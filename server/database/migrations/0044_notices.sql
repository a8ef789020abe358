-- One service for everything that asks somebody for something (docs/adr/0047-notices.md). Besides queries and reviews of versions: conflicts of a subject, work in
-- the inbox, a release, and what the morning tells: queries that are overdue, visits that are due.
alter table notice drop constraint notice_kind_check;
alter table notice
  -- Null for what the server tells by itself in the morning.
  alter column created_by drop not null,
  -- The day of a notice of the morning; the next day's takes its place.
  add column day date,
  -- What was counted then, where counting it again for each look would cost too much: visits due, and of these the windows that end soon.
  add column due integer,
  add column ending integer;
alter table notice add constraint notice_kind_check check (
  case
    when kind in ('approval', 'release') then version_id is not null and patient_id is null
    when kind in ('inbox', 'query_overdue', 'visit_due') then version_id is null and patient_id is null
    else kind in ('assigned', 'taken_back', 'changed', 'query_site', 'query_review', 'conflict') and patient_id is not null and version_id is null
  end);
alter table notice add constraint notice_day_check check (
  (day is not null) = (kind in ('query_overdue', 'visit_due')) and (due is not null) = (kind = 'visit_due') and (ending is null) = (due is null));
-- While one is unread another one only moves it to the top; nobody is told twice of a release, nor twice on a day.
create unique index notice_of_conflicts on notice (user_id, patient_id) where kind = 'conflict' and ended_at is null and read_at is null;
create unique index notice_of_inbox on notice (user_id, project_id) where kind = 'inbox' and ended_at is null and read_at is null;
create unique index notice_of_release on notice (version_id, user_id) where kind = 'release';
create unique index notice_of_day on notice (user_id, project_id, kind, day) where day is not null;
create index notice_conflicts_of_patient on notice (patient_id) where kind = 'conflict' and ended_at is null;
create index notice_of_day_open on notice (day) where day is not null and ended_at is null;
create index notice_of_project on notice (project_id, kind) where patient_id is null and ended_at is null;
-- What every client asks for once a minute.
create index notice_waiting on notice (user_id, created_at desc, id desc) where read_at is null and ended_at is null;
create index query_due on query (project_id, due_on) where due_on is not null and state in ('candidate', 'open', 'answered');

-- The day whose morning notices a project has: one server writes them, whichever is first.
create table notice_round (
  project_id uuid primary key references project,
  day date not null
);
grant select, insert, update on notice_round to zhenglu_app;

-- How a person wants to be told, where it differs from what is usual (core/api/noticeSettings.ts).
create table notice_setting (
  user_id uuid not null references app_user,
  -- What is told of: a group of kinds.
  topic text not null,
  app text not null check (app in ('at_once', 'never')),
  email text not null check (email in ('at_once', 'daily', 'never')),
  note text not null check (note in ('at_once', 'daily', 'never')),
  primary key (user_id, topic)
);
grant select, insert, update on notice_setting to zhenglu_app;

-- What went out to a person by e-mail or text message: never the words, which are made when it is sent, from what waits then.
create table notice_message (
  id uuid primary key,
  user_id uuid not null references app_user,
  way text not null check (way in ('email', 'note')),
  pace text not null check (pace in ('at_once', 'daily')),
  -- In the time zone of studies; a person has one daily message of a day.
  day date not null,
  -- dropped: nothing of it waited any more when it was to be sent.
  state text not null check (state in ('waiting', 'sent', 'failed', 'dropped')),
  why text,
  tries integer not null default 0,
  created_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  ended_at timestamptz(3)
);
create unique index notice_message_waiting on notice_message (user_id, way, pace) where state = 'waiting';
create unique index notice_message_of_day on notice_message (user_id, way, day) where pace = 'daily';
create index notice_message_due on notice_message (next_try_at) where state = 'waiting';
-- Which notices a way has told of, and when: one that moved to the top since is told again.
create table notice_told (
  notice_id uuid not null references notice,
  way text not null check (way in ('email', 'note')),
  -- Null after a restore: it may have been told by a message that the database does not know any more.
  message_id uuid references notice_message,
  told_at timestamptz(3) not null,
  primary key (notice_id, way)
);
create index notice_told_by on notice_told (message_id);
create index notice_unread_since on notice (created_at) where read_at is null and ended_at is null;
grant select, insert, update on notice_message, notice_told to zhenglu_app;
