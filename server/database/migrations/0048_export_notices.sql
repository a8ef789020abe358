-- Runs of data sets: whoever may approve one is told that it waits, and whoever asked is told how it ended (docs/adr/0049-datasets.md).
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (
  case
    when kind in ('approval', 'release') then version_id is not null and patient_id is null
    when kind in ('inbox', 'query_overdue', 'visit_due', 'export_waits', 'export_ended') then version_id is null and patient_id is null
    else kind in ('assigned', 'taken_back', 'changed', 'query_site', 'query_review', 'conflict') and patient_id is not null and version_id is null
  end);
-- While one is unread another one only moves it to the top.
create unique index notice_of_exports on notice (user_id, project_id, kind)
  where kind in ('export_waits', 'export_ended') and ended_at is null and read_at is null;
create index data_set_run_waiting on data_set_run (project_id) where state = 'waiting';
