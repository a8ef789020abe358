-- Changes of an entry, once it was submitted, that came without a reason: [{table, rid, code, by, byName, at}], until somebody gives one.
alter table entry add column unexplained jsonb not null default '[]';

-- The log of a patient is read by day and by page.
create index audit_patient_time on audit (patient_id, received_at) where patient_id is not null;
