-- How often a draft was saved by those who design it, and by whom last: who saves what they have read before is told.
alter table crf_version
  add column design_rev integer not null default 0,
  add column designed_by uuid references app_user,
  add column designed_at timestamptz(3);
