-- Queries follow their fields to a later release (docs/adr/0028-migration.md): place and version of the row change, its thread does not.
-- What the field held at the last act, as the later version writes it; null where it is written as in the thread.
alter table query add column last_content jsonb;
