-- A notice may ask for something that others settle too: that a test version be reviewed. It ends with its cause, read or not.
alter table notice alter column patient_id drop not null;
alter table notice add column version_id uuid references crf_version;
alter table notice add column ended_at timestamptz(3);
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (
  case kind
    when 'approval' then version_id is not null and patient_id is null
    else kind in ('assigned', 'taken_back', 'changed') and patient_id is not null and version_id is null
  end);
-- Nobody is asked twice for the same.
create unique index notice_asked on notice (version_id, user_id) where kind = 'approval' and ended_at is null;
