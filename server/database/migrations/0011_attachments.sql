-- Attachments: what fields name is kept in files of its own (docs/adr/0020-attachments.md); here is what is known of them.
create table attachment (
  -- Made on the device that took it; the field's value names it.
  id uuid primary key,
  project_id uuid not null references project,
  patient_id uuid not null,
  -- The entry need not be there yet: its operation may be held, or in the inbox.
  entry_id uuid not null,
  center_id uuid,
  table_prop text,
  rid text,
  prop text not null,
  name text not null,
  type text not null,
  size bigint not null,
  -- SHA-256 of the content, as the operation says.
  hash text not null,
  author uuid not null references app_user,
  state text not null default 'arriving' check (state in ('arriving', 'stored', 'refused')),
  problem text,
  received bigint not null default 0,
  width integer,
  height integer,
  -- A small JPEG, made by the device.
  thumb bytea,
  started_at timestamptz(3) not null,
  touched_at timestamptz(3) not null,
  stored_at timestamptz(3)
);
create index attachment_entry on attachment (entry_id);
create index attachment_gallery on attachment (project_id, stored_at desc, id) where state = 'stored';
create index attachment_arriving on attachment (touched_at) where state = 'arriving';

-- What has come of uploads that are not at their end. In the database and not in files: any server can go on, and a backup holds it.
create table attachment_piece (
  attachment_id uuid not null references attachment,
  from_byte bigint not null,
  bytes bytea not null,
  primary key (attachment_id, from_byte)
);

grant select, insert, update on attachment to zhenglu_app;
grant select, insert, delete on attachment_piece to zhenglu_app;
