-- Subject numbers by template (docs/adr/0021-subject-numbers-and-assignments.md), and who of the team a patient is assigned to.

alter table center
  -- The center's number in the project, for numbers that hold it; it never changes.
  add column site_no integer,
  -- How its subjects are numbered, where the project's own template is not meant.
  add column number_template text,
  -- Templates under which it has given numbers out before.
  add column former_templates text[] not null default '{}';
update center c set site_no = n.no
  from (select id, row_number() over (partition by project_id order by created_at, id) as no from center) n where n.id = c.id;
alter table center add unique (project_id, site_no);

-- The words of the numbers in a block: they stay what the device was told.
alter table number_lease add column template text not null default '{SiteCode}-{Seq:000}';

-- The next count over all centers of a project; a project without a row has never counted so.
create table study_number (
  project_id uuid primary key references project,
  next_no integer not null
);

-- Experts see the patients that are assigned to them and no others.
alter table member drop constraint member_type_check;
alter table member add constraint member_type_check check (type in ('center', 'project', 'expert'));

create table patient_member (
  patient_id uuid not null references patient,
  member_id uuid not null references member,
  -- Taken back: what they did for the patient offline is then known for what it is.
  removed boolean not null default false,
  assigned_by uuid not null references app_user,
  assigned_at timestamptz(3) not null,
  primary key (patient_id, member_id)
);
create index patient_member_of on patient_member (member_id) where not removed;

grant select, insert, update on study_number, patient_member to zhenglu_app;
