-- Of an open conflict about a field that a release removed: the last version that had the field. Its code may be another field's by now
-- (docs/adr/0028-migration.md).
alter table conflict add column former_version_id uuid references crf_version (id);
