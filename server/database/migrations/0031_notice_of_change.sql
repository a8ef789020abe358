-- Whoever a patient is assigned to can be told that what is known of the patient was changed.
alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('assigned', 'taken_back', 'changed'));
