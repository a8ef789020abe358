-- To whom a query is given (docs/adr/0045-queries.md); null: to everybody who may answer it.
alter table query add column assignee uuid references app_user;
create index query_assignee on query (project_id, assignee) where assignee is not null;

-- To whom an act gave it; null with an assignment: to everybody again.
alter table query_act add column assignee uuid references app_user;
alter table query_act drop constraint query_act_act_check;
alter table query_act add constraint query_act_act_check check (
  act in ('raise', 'promote', 'reject', 'answer', 'requery', 'close', 'reopen', 'cancel', 'comment', 'assign', 'passes', 'gone'));
alter table query_act add constraint query_act_assignee_check check (act = 'assign' or assignee is null);
