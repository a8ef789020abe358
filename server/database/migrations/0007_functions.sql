-- What a project has decided about its functions: {code: whether it uses it}. About the others it has not decided.
alter table project add column functions jsonb not null default '{}';
