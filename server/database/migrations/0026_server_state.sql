-- A line of each server, written again and again: whether writes come back is known by writing (server/health/pulse.ts).
create table server_pulse (
  server_id uuid primary key,
  at timestamptz(3) not null default now()
);
grant select, insert, update, delete on server_pulse to zhenglu_app;

-- The database's own instant of a link was no part of the chain: whoever changed it was not found out. When a write was received stands in each
-- audit row and is sealed there.
alter table audit_link drop column at;

-- Least rights of the server (tests/server/database/rights.test.ts has the whole list): only what it does.
revoke insert, update, delete on schema_migration from zhenglu_app;
revoke insert, delete on system_chain from zhenglu_app;
revoke delete on setting, device, center, crf_version, change, member_center from zhenglu_app;
revoke update on captcha, login_failure, crf_source, device_key from zhenglu_app;
