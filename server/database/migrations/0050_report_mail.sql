-- Reports that a person has sent to themselves by e-mail (docs/adr/0056-reports-by-mail.md). A row holds no words and no figures: these are made when it is sent,
-- with the rights that its person has then. Every change of it by its person is in the audit trail.
create table report_schedule (
  id uuid primary key,
  project_id uuid not null references project,
  user_id uuid not null references app_user,
  kind text not null,
  -- Null for all centers that its person sees.
  center_id uuid references center,
  rhythm text not null check (rhythm in ('day', 'week', 'month')),
  weekday smallint check (weekday between 1 and 7),
  month_day smallint check (month_day between 1 and 28),
  language text not null check (language in ('zh', 'en')),
  created_at timestamptz(3) not null,
  -- The day, in the time zone of studies, on which it is due.
  next_day date not null,
  -- The day on which one was last sent or given up, and why it was given up.
  last_day date,
  last_why text,
  -- Why nothing is sent any more, until its person saves it again.
  paused text,
  removed boolean not null default false,
  -- Of the one that is due: how often it was tried, not before when again, and since when a server has it. `sending`: it may have arrived.
  tries integer not null default 0,
  next_try_at timestamptz(3),
  claimed_at timestamptz(3),
  sending boolean not null default false,
  check ((weekday is not null) = (rhythm = 'week') and (month_day is not null) = (rhythm = 'month')),
  check ((last_why is null) or (last_day is not null)),
  check (not sending or claimed_at is not null)
);
create index report_schedule_own on report_schedule (user_id, project_id) where not removed;
create index report_schedule_due on report_schedule (next_day) where not removed and paused is null;
grant select, insert, update on report_schedule to zhenglu_app;

-- The reports that a person has on their workspace, in their order.
create table report_pin (
  project_id uuid not null references project,
  user_id uuid not null references app_user,
  kind text not null,
  position smallint not null check (position between 0 and 5),
  primary key (user_id, project_id, kind),
  unique (user_id, project_id, position)
);
grant select, insert, delete on report_pin to zhenglu_app;
