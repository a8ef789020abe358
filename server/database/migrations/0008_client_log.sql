-- What devices noted of their own errors and their users sent. No part of the study: nothing that was entered is in it, and it is
-- forgotten after a while.
create table client_log (
  -- Derived from who sent it, from which device, and what it says: sent twice, it is here once.
  id uuid primary key,
  user_id uuid not null references app_user,
  -- As the request named it; a device may report an error before it has made itself known.
  device_id uuid,
  app_version text,
  user_agent text not null default '',
  occurred_at timestamptz(3) not null,
  received_at timestamptz(3) not null,
  url text not null,
  type text not null,
  message text not null,
  stack text not null,
  info text not null
);
create index client_log_latest on client_log (received_at desc, id);
create index client_log_user on client_log (user_id, received_at);

grant select, insert, delete on client_log to zhenglu_app;
