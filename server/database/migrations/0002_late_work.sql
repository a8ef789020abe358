-- Late work: what a member held before, and what waits for one patient or entry.

-- Entry passes and data scopes held before, as `former_roles`: what their holder did offline goes to the inbox rather than away.
alter table member
  add column former_passes smallint[] not null default '{}',
  add column former_scopes text[] not null default '{}';

-- Operations that are held or in the inbox: few, and looked for with every save.
create index operation_waiting on operation (project_id, entity_id) where outcome in ('held', 'inbox');
