-- A server that has looked through what 0034 asked for left open conflicts on pages of a merged second pass, which nobody can decide any more. What it looked
-- through already is as it should be, and stays so (server/areas/entry/versions/lookThrough.ts).
insert into setting (key, value) values ('look_through', 'true') on conflict (key) do update set value = excluded.value;
