-- Why a session ended, so that whoever is at an open page reads it; and when it began, for a refreshed one has an end too.
alter table session add column ended_why text check (ended_why in ('device_blocked', 'account_disabled', 'session_revoked', 'password_changed'));
alter table session add column signed_in_at timestamptz(3);
update session s set signed_in_at = (select min(f.created_at) from session f where f.family = s.family);
alter table session alter column signed_in_at set default now();
alter table session alter column signed_in_at set not null;
create index session_of_device on session (device_id) where ended_at is null;

-- Who has used a device. What is said in its name comes from them, or from a browser that shows the device's own cookie.
create table device_user (
  device_id uuid not null references device,
  user_id uuid not null references app_user,
  since timestamptz(3) not null default now(),
  primary key (device_id, user_id)
);
insert into device_user (device_id, user_id)
  select id, last_user_id from device where last_user_id is not null
  union
  select a.device_id, a.user_id from audit a
    where a.action in ('device.keys', 'device.register') and a.user_id is not null and exists (select from device d where d.id = a.device_id);
grant select, insert on device_user to zhenglu_app;

-- An upload is of a pass, like the entry that names it, and its small picture is of whoever brings the content.
alter table attachment add column pass smallint check (pass in (1, 2));
update attachment a set pass = coalesce(
  (select e.pass from entry e where e.id = a.entry_id),
  (select o.pass from operation o where o.entity_id = a.entry_id and o.pass is not null limit 1), 1);
alter table attachment alter column pass set not null;
alter table attachment add column thumb_by uuid references app_user;

-- Whom a device's keys of a scope were handed to: who sees only some patients of a center gets none that a colleague uses there as well.
create table device_key_user (
  device_id uuid not null references device,
  scope text not null,
  user_id uuid not null references app_user,
  since timestamptz(3) not null default now(),
  primary key (device_id, scope, user_id)
);
insert into device_key_user (device_id, scope, user_id)
  select distinct a.device_id, given.scope, a.user_id
  from audit a join audit_value v on v.audit_id = a.id, jsonb_array_elements_text(v.new_value -> 'scopes') as given (scope)
  where a.action = 'device.keys' and a.user_id is not null and exists (select from device d where d.id = a.device_id);
grant select, insert on device_key_user to zhenglu_app;

-- Failures count where they were made: at an address, on a device that the account's owner has used, or by somebody who is signed in.
delete from login_failure;
alter table login_failure add column place text not null;
create index login_failure_place on login_failure (account_key, place, at);

-- The alternative to a picture: a sum that the device works out. Null where a picture is to be read.
alter table captcha alter column answer_hash drop not null;
alter table captcha add column work_bits smallint;
