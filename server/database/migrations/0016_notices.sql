-- What somebody is to be told in the app (docs/adr/0021-subject-numbers-and-assignments.md). Nobody deletes one: it is read.
create table notice (
  id uuid primary key,
  -- Who is told.
  user_id uuid not null references app_user,
  project_id uuid not null references project,
  patient_id uuid not null references patient,
  kind text not null check (kind in ('assigned', 'taken_back')),
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  read_at timestamptz(3)
);
create index notice_of on notice (user_id, created_at desc, id desc);

grant select, insert, update on notice to zhenglu_app;
revoke delete on notice from zhenglu_app;
