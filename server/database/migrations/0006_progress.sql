-- How full an entry is, counted by its page's rules whenever it is written; null where it was last written before this.
ALTER TABLE entry ADD COLUMN progress jsonb;

-- What somebody must go on with: a fraction of all entries, and what work lists are made of.
CREATE INDEX entry_todo ON entry (project_id, updated_at, id)
  WHERE NOT deleted AND (status = 'process' OR (progress->>'missing')::integer > 0);
