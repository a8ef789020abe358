-- Long work that one server at a time runs, asked for in the transaction that needs it (docs/adr/0042-jobs.md).
create table job (
  id uuid primary key,
  kind text not null,
  payload jsonb not null,
  state text not null default 'open' check (state in ('open', 'done', 'failed', 'cancelled')),
  -- It is not begun before.
  due_at timestamptz(3) not null default now(),
  -- How often it was begun since it last got on: counted before it begins, so that what ends the server is counted too.
  tries integer not null default 0,
  -- Who runs it, and until when that is believed without hearing of them.
  leased_by uuid,
  leased_until timestamptz(3),
  -- How far it is.
  finished integer not null default 0,
  total integer not null
);
create index job_open on job (due_at, id) where state = 'open';
grant select, insert, update on job to zhenglu_app;

-- A migration is such work: how often it was begun and how far it is are its job's from now on.
insert into job (id, kind, payload, state, due_at, tries, finished, total)
select
  t.id, 'migration', jsonb_build_object('taskId', t.id), case when t.state = 'running' then 'open' when t.aside is null then 'done' else 'failed' end,
  t.started_at, t.attempts, (select count(*) from migration_patient m where m.task_id = t.id), t.total
from migration_task t;
drop index migration_task_running;
alter table migration_task drop column attempts, drop column total;
