-- What verification needs besides marks and plans (docs/adr/0046-verification.md).

-- How many patients were ever enrolled in the center, and the place of each among them: a plan chooses the first of each center.
alter table center add column enrolled integer not null default 0;
alter table patient add column center_rank integer;
update patient p set center_rank = r.rank
from (select id, row_number() over (partition by center_id order by created_at, id) as rank from patient) r where r.id = p.id;
update center c set enrolled = (select count(*) from patient p where p.center_id = c.id);

-- The last patient, in the order of ids, for whom a plan that was switched on has been worked out.
alter table review_plan add column counted_to uuid references patient;

-- Lists and sums of a project; and the pages of a patient in one track.
create index review_count_project on review_count (project_id, track, patient_id) where due > 0;
create index review_mark_project on review_mark (project_id);
-- What was verified in a time, for a monitoring visit report.
create index audit_review on audit (project_id, received_at) where action like 'review.%';
