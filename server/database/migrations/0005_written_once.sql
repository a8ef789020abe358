-- What proves itself: references that cost a look-up for every item of every save, and cannot be wrong.

-- Written by one statement only, which takes the project from the project's own row and the audit row from itself
-- (server/database/commit.ts). Neither projects nor audit rows can be deleted by the server.
alter table audit drop constraint audit_project_id_fkey;
alter table audit_value drop constraint audit_value_audit_id_fkey;
alter table audit_link drop constraint audit_link_project_id_fkey;
alter table change drop constraint change_project_id_fkey;

-- The author is whoever the session or the proof names, and accounts are never deleted. Checked, each operation would also
-- lock the row of its author, and many at once would queue for it.
alter table operation
  drop constraint operation_author_fkey,
  drop constraint operation_carried_by_fkey;
