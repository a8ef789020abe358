-- The ground schema. Ids are UUIDs made by the application (docs/adr/0001-ids-and-rows.md); hashes are lower-case hex SHA-256.
-- Runs as the owner role. The app role gets exactly what it needs at the end; it can never change or delete an audit row.

-- ── The server itself ────────────────────────────────────────────────────────────────────────────────────────────

-- Secrets that must survive with the data (docs/adr/0005-keys-and-vault.md): token and proof secrets, rescue key pair.
create table server_secret (
  name text primary key,
  value text not null,
  created_at timestamptz(3) not null default now()
);

-- `epoch` changes when the server was restored from a backup.
create table setting (
  key text primary key,
  value jsonb not null
);

-- ── People ───────────────────────────────────────────────────────────────────────────────────────────────────────

create table app_user (
  id uuid primary key,
  account text not null,
  -- The account in lower case: what a person types to sign in.
  account_key text not null unique,
  real_name text not null,
  phone text,
  email text,
  avatar text not null default '',
  password_hash text not null,
  must_change_password boolean not null default false,
  is_admin boolean not null default false,
  is_demo boolean not null default false,
  status text not null default 'active' check (status in ('active', 'disabled')),
  last_login_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

-- One row per issued token pair; a refresh makes the next row of the family. Tokens are stored as hashes only.
create table session (
  id uuid primary key,
  family uuid not null,
  user_id uuid not null references app_user,
  client_id text not null,
  device_id uuid,
  access_hash text not null unique,
  access_expires_at timestamptz(3) not null,
  refresh_hash text not null unique,
  refresh_expires_at timestamptz(3) not null,
  -- Set when the access token was first used: from then on the token before it is spent for good.
  first_used_at timestamptz(3),
  refreshed_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index session_family on session (family);
create index session_of_user on session (user_id) where ended_at is null;

create table captcha (
  key uuid primary key,
  answer_hash text not null,
  expires_at timestamptz(3) not null
);

create table login_failure (
  id uuid primary key,
  account_key text not null,
  ip text not null,
  at timestamptz(3) not null default now()
);
create index login_failure_account on login_failure (account_key, at);
create index login_failure_ip on login_failure (ip, at);

-- ── Projects ─────────────────────────────────────────────────────────────────────────────────────────────────────

create table project (
  id uuid primary key,
  name text not null,
  icon text,
  status text not null check (status in ('start', 'process', 'stop', 'close')),
  scope_code text not null,
  config jsonb not null,
  is_demo boolean not null default false,
  deleted boolean not null default false,
  -- Change number: taken last in every write (DESIGN §7), so that no reader skips a late commit.
  seq bigint not null default 0,
  -- Head of the project's audit chain.
  head text not null default repeat('0', 64),
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now()
);

create table center (
  id uuid primary key,
  project_id uuid not null references project,
  name text not null,
  code text not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  group_summary text,
  plan_enrolls integer,
  -- Next subject number that was never leased or given. Numbers are never reused.
  next_no integer not null default 1,
  created_at timestamptz(3) not null default now(),
  unique (project_id, code)
);

create table member (
  id uuid primary key,
  project_id uuid not null references project,
  user_id uuid not null references app_user,
  role text not null check (role in ('ADMIN', 'PI', 'PM', 'CRA', 'CRC', 'DBD')),
  -- Roles held before: what their holder did offline goes to the inbox rather than away.
  former_roles text[] not null default '{}',
  type text not null default 'center' check (type in ('center', 'project')),
  data_scope text not null default 'center' check (data_scope in ('all', 'center', 'self')),
  entry_pass smallint not null default 1 check (entry_pass in (1, 2)),
  crf_approve smallint not null default 0 check (crf_approve in (0, 1)),
  status text not null default 'active' check (status in ('active', 'pause')),
  start_dt date,
  end_dt date,
  remark text,
  -- Raised whenever what the member may see or do changes; part of the device's scopeVersion.
  rights_rev integer not null default 1,
  removed boolean not null default false,
  created_at timestamptz(3) not null default now(),
  unique (project_id, user_id)
);
create index member_user on member (user_id);

create table member_center (
  member_id uuid not null references member,
  center_id uuid not null references center,
  -- A withdrawn center stays, so that late work of its member is known for what it is.
  removed boolean not null default false,
  primary key (member_id, center_id)
);

-- ── CRF versions ─────────────────────────────────────────────────────────────────────────────────────────────────

create table crf_version (
  id uuid primary key,
  project_id uuid not null references project,
  version_no integer not null,
  profile text not null check (profile in ('draft', 'test', 'formal')),
  remark text,
  base_version_id uuid references crf_version,
  deleted boolean not null default false,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  released_at timestamptz(3),
  unique (project_id, version_no)
);

-- Folder and page ids are the same in all versions of a project.
create table crf_folder (
  version_id uuid not null references crf_version,
  folder_id uuid not null,
  name text not null,
  code text not null,
  sort integer not null,
  primary key (version_id, folder_id)
);

create table crf_page (
  version_id uuid not null references crf_version,
  page_id uuid not null,
  folder_id uuid not null,
  name text not null,
  code text not null,
  repeatable boolean not null default false,
  sort integer not null,
  -- The page option exactly as it was designed or imported, readable or not.
  option text not null,
  primary key (version_id, page_id, folder_id),
  foreign key (version_id, folder_id) references crf_folder
);

-- What an import read, byte for byte, as evidence.
create table crf_source (
  id uuid primary key,
  version_id uuid not null references crf_version,
  name text not null,
  source text not null,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now()
);

create table crf_approval (
  id uuid primary key,
  version_id uuid not null references crf_version,
  user_id uuid not null references app_user,
  result smallint check (result in (1, 2)),
  content text,
  suggest text,
  signed_at timestamptz(3),
  unique (version_id, user_id)
);

-- ── Subjects and their data ──────────────────────────────────────────────────────────────────────────────────────

create table device (
  id uuid primary key,
  name text not null default '',
  user_agent text not null default '',
  app_version text not null default '',
  persisted boolean not null default false,
  last_user_id uuid references app_user,
  last_contact_at timestamptz(3) not null default now(),
  -- The device's last word on what it has not sent, per scope.
  report jsonb,
  clock_drift_ms double precision,
  blocked boolean not null default false,
  created_at timestamptz(3) not null default now()
);

-- Keys of a device, kept before they are handed out: a forgotten password loses nothing.
create table device_key (
  device_id uuid not null references device,
  scope text not null,
  key_id uuid not null unique,
  data_key text not null,
  sensitive_key text not null,
  created_at timestamptz(3) not null default now(),
  primary key (device_id, scope)
);

create table number_lease (
  id uuid primary key,
  project_id uuid not null references project,
  center_id uuid not null references center,
  device_id uuid not null references device,
  first_no integer not null,
  last_no integer not null,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  check (last_no >= first_no),
  unique (center_id, first_no)
);
create index number_lease_device on number_lease (device_id, center_id);

create table patient (
  id uuid primary key,
  project_id uuid not null references project,
  center_id uuid not null references center,
  no text,
  no_seq integer,
  mark text not null,
  initials text,
  sex text check (sex in ('F', 'M')),
  enrolled_on date,
  name text,
  mobile text,
  email text,
  birth_date text,
  rev integer not null default 1,
  deleted boolean not null default false,
  created_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (project_id, no),
  unique (center_id, no_seq)
);
create index patient_list on patient (project_id, center_id, no, id);

create table entry (
  id uuid primary key,
  project_id uuid not null references project,
  center_id uuid not null references center,
  patient_id uuid not null references patient,
  folder_id uuid not null,
  folder_repeat text not null,
  page_id uuid not null,
  page_repeat text not null,
  parent_entry_id uuid references entry,
  pass smallint not null check (pass in (1, 2)),
  version_id uuid not null references crf_version,
  status text not null check (status in ('init', 'process', 'other')),
  control text not null default 'open' check (control in ('open', 'frozen', 'locked')),
  rev integer not null,
  "values" jsonb not null,
  missing jsonb not null,
  hidden text[] not null default '{}',
  -- Values that no field of the version has a place for: kept, listed, exported as retired.
  retired jsonb not null default '{}',
  data_hash text not null,
  submitted_hash text,
  submitted_by uuid references app_user,
  submitted_at timestamptz(3),
  deleted boolean not null default false,
  updated_by uuid not null references app_user,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique nulls not distinct (patient_id, folder_id, folder_repeat, page_id, page_repeat, parent_entry_id, pass)
);

create table conflict (
  id uuid primary key,
  project_id uuid not null references project,
  entry_id uuid not null references entry,
  table_prop text,
  rid text,
  prop text not null,
  base jsonb not null,
  server jsonb not null,
  mine jsonb not null,
  server_by uuid not null references app_user,
  mine_by uuid not null references app_user,
  mine_at timestamptz(3) not null,
  op_key uuid not null,
  state text not null default 'open' check (state in ('open', 'resolved')),
  created_at timestamptz(3) not null default now()
);
create index conflict_entry on conflict (entry_id) where state = 'open';

-- ── Operations: one row per idempotency key, kept for ever (docs/adr/0002-operation-and-receipt.md) ──────────────

create table operation (
  key uuid primary key,
  author uuid not null references app_user,
  payload_hash text not null,
  call text not null,
  project_id uuid,
  center_id uuid,
  entity_id uuid,
  crf_version_id uuid,
  pass smallint,
  carried_by uuid references app_user,
  device_id uuid,
  device_seq bigint,
  acted_at timestamptz(3) not null,
  acted_offset_minutes integer,
  clock_drift_ms double precision,
  protocol integer,
  app_version text,
  received_at timestamptz(3) not null default now(),
  body jsonb not null,
  -- Set in the same transaction as the effect.
  outcome text check (outcome in ('applied', 'conflict', 'held', 'inbox')),
  reason text,
  seq bigint,
  head text,
  result jsonb
);
create index operation_project on operation (project_id, seq);

-- Operations that wait for a decision, or for a paused project to go on.
create table inbox (
  op_key uuid primary key references operation,
  project_id uuid not null references project,
  center_id uuid,
  reason text not null,
  state text not null default 'open' check (state in ('open', 'released', 'returned')),
  decided_by uuid references app_user,
  decided_at timestamptz(3),
  note text,
  created_at timestamptz(3) not null default now()
);
create index inbox_open on inbox (project_id, created_at) where state = 'open';

-- What changed last, one row per changed thing: the pull streams it in order of seq.
create table change (
  project_id uuid not null references project,
  kind text not null,
  row_id uuid not null,
  seq bigint not null,
  center_id uuid,
  pass smallint,
  primary key (project_id, kind, row_id)
);
create index change_seq on change (project_id, seq);
create index change_center on change (project_id, center_id, seq);

-- ── Audit (docs/adr/0004-audit-and-roles.md) ─────────────────────────────────────────────────────────────────────

-- Chain of what belongs to no project: sign-ins, users, settings.
create table system_chain (
  id integer primary key check (id = 1),
  seq bigint not null,
  head text not null
);
insert into system_chain values (1, 0, repeat('0', 64));

-- One link per transaction: head = sha256(previous head || digest), digest over the transaction's audit rows in order.
-- project_id is null in the system's chain.
create table audit_link (
  project_id uuid references project,
  seq bigint not null,
  digest text not null,
  head text not null,
  at timestamptz(3) not null default now(),
  unique nulls not distinct (project_id, seq)
);

create table audit (
  id uuid primary key,
  project_id uuid references project,
  seq bigint not null,
  ord integer not null,
  format smallint not null,
  action text not null,
  call text,
  op_key uuid,
  center_id uuid,
  patient_id uuid,
  entry_id uuid,
  table_prop text,
  rid text,
  prop text,
  version_id uuid,
  pass smallint,
  reason_code text,
  user_id uuid,
  user_name text not null,
  role text,
  carried_by uuid,
  device_id uuid,
  occurred_at timestamptz(3) not null,
  occurred_offset_minutes integer,
  clock_drift_ms double precision,
  received_at timestamptz(3) not null,
  app_version text,
  ip text,
  -- sha256(salt || canonical text of what audit_value holds): a justified redaction does not break the chain.
  value_hash text not null,
  row_hash text not null,
  unique nulls not distinct (project_id, seq, ord)
);
create index audit_patient on audit (patient_id, seq desc, ord desc) where patient_id is not null;
create index audit_entry on audit (entry_id, prop, seq desc) where entry_id is not null;
create index audit_user on audit (user_id, seq desc);

create table audit_value (
  audit_id uuid primary key references audit,
  salt text not null,
  old_value jsonb,
  new_value jsonb,
  reason_text text
);

-- ── Rights ───────────────────────────────────────────────────────────────────────────────────────────────────────

grant usage on schema public to zhenglu_app, zhenglu_console;
grant select, insert, update, delete on all tables in schema public to zhenglu_app;
revoke update, delete on audit, audit_value, audit_link, operation, server_secret from zhenglu_app;
-- An operation is completed once, in the transaction that made it.
grant update (center_id, outcome, reason, seq, head, result) on operation to zhenglu_app;
revoke update, delete on project, patient, entry, conflict from zhenglu_app;
grant update on project, patient, entry, conflict to zhenglu_app;
revoke delete on inbox, crf_approval, number_lease, device_key, member, app_user, crf_source from zhenglu_app;
