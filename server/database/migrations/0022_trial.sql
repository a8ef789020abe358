-- What testers fill in on a version in test (docs/adr/0031-trial-data.md): in a table of its own, so that no list, count, export, pull or migration of
-- what is entered for patients can ever hold any of it.
create table trial_entry (
  id uuid primary key,
  project_id uuid not null references project,
  version_id uuid not null references crf_version,
  tester_id uuid not null references app_user,
  -- The number of the trial subject, of each tester by themselves.
  subject smallint not null check (subject between 1 and 99),
  folder_id uuid not null,
  folder_repeat text not null,
  page_id uuid not null,
  page_repeat text not null,
  "values" jsonb not null,
  missing jsonb not null,
  rev integer not null,
  status text not null check (status in ('process', 'other')),
  -- The round of testing in which it was last saved.
  round integer not null,
  saved_at timestamptz(3) not null,
  submitted_at timestamptz(3),
  -- Put away by its tester: it is kept, and in nobody's way.
  cleared boolean not null default false
);
create unique index trial_entry_place on trial_entry (version_id, tester_id, subject, folder_id, folder_repeat, page_id, page_repeat) where not cleared;

-- How often a version was published to test.
alter table crf_version add column test_round integer not null default 0;
update crf_version set test_round = 1 where profile in ('test', 'formal');

grant select, insert, update on trial_entry to zhenglu_app;
revoke delete on trial_entry from zhenglu_app;
