-- Why a rule failed the last time: it could not be evaluated, or it asked for too much work (docs/adr/0032-budget-of-rules.md).
alter table rule_fault add column kind text not null default 'failed' check (kind in ('failed', 'work'));

-- How often the work of a task was begun without a patient being brought: counted before it begins, so that what ends the server is counted too.
alter table migration_task add column attempts integer not null default 0;
-- Why a task was set aside, which then has failed: its work ended the process twice, or failed twice.
alter table migration_task add column aside text check (aside in ('died', 'failed'));
