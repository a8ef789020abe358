-- Files of what is said in queries (docs/adr/0020-attachments.md): the act names them as a field's value names its own.
alter table query_act add column files jsonb not null default '[]';

-- An attachment is of an entry, or of a query. The query need not be there yet: its operation may be held, or in the inbox.
-- Where it is about no page it is of no pass.
alter table attachment add column query_id uuid;
alter table attachment alter column entry_id drop not null;
alter table attachment alter column prop drop not null;
alter table attachment alter column pass drop not null;
alter table attachment add constraint attachment_of check (
  case when query_id is null then entry_id is not null and prop is not null and pass is not null
  else entry_id is null and table_prop is null and rid is null and prop is null end);
create index attachment_query on attachment (query_id) where query_id is not null;
