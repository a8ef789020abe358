-- Dictionaries of a project (specification §7): lists of choices that its fields name by an address of ours. A row without a parent is a dictionary, the others
-- are entries of one, which may have entries below them. Nobody deletes one: it is removed, and what was released keeps its own copy.
create table project_dict (
  id uuid primary key,
  project_id uuid not null references project,
  -- The dictionary that an entry belongs to; a dictionary's own id.
  root_id uuid not null references project_dict,
  parent_id uuid references project_dict,
  -- What fields name the dictionary by; of an entry that of its dictionary.
  code text not null,
  -- What is stored where the entry is chosen; -1 of a dictionary, as the family of clients has it.
  dict_key text not null,
  dict_value text not null,
  label_en text,
  sort integer not null,
  disabled boolean not null default false,
  removed boolean not null default false,
  check ((parent_id is null) = (root_id = id))
);
create unique index project_dict_code on project_dict (project_id, lower(code)) where parent_id is null and not removed;
-- A value says by itself which entry was chosen, on whatever level it stands.
create unique index project_dict_key on project_dict (root_id, dict_key) where parent_id is not null and not removed;
create index project_dict_below on project_dict (parent_id, sort) where not removed;

grant select, insert, update on project_dict to zhenglu_app;
revoke delete on project_dict from zhenglu_app;
