-- What queries ask of people: of a site to answer (query_site), of those who review to read an answer or to decide a candidate (query_review). A notice is about
-- all of them of one patient: it ends with the last, and while it is unread another one only moves it to the top.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (
  case kind
    when 'approval' then version_id is not null and patient_id is null
    else kind in ('assigned', 'taken_back', 'changed', 'query_site', 'query_review') and patient_id is not null and version_id is null
  end);
create unique index notice_standing on notice (user_id, patient_id, kind)
  where kind in ('query_site', 'query_review') and ended_at is null and read_at is null;
create index notice_of_patient on notice (patient_id) where kind in ('query_site', 'query_review') and ended_at is null;
