-- Pages and folders of forms that were put aside to be used again, in any project of the organisation. Nobody deletes one: it is removed.
create table template (
  id uuid primary key,
  kind text not null check (kind in ('page', 'folder')),
  name text not null,
  remark text,
  -- The folder with its pages as it was sent, and how much is in it.
  folder text not null,
  pages integer not null,
  fields integer not null,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null,
  removed boolean not null default false
);
create index template_newest on template (created_at desc, id desc) where not removed;

grant select, insert, update on template to zhenglu_app;
revoke delete on template from zhenglu_app;
