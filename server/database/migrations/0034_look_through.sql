-- What stood before 0033 came is to be looked through once: open conflicts about a field that a release had removed by then, and lists of changes without a
-- reason on the pages of a merged second pass, where nobody can give one. It takes the plans from release to release, and has to be in the trail, which SQL alone
-- cannot seal: the next start of the server does it (server/areas/entry/versions/lookThrough.ts).
insert into setting (key, value) values ('look_through', 'true') on conflict (key) do update set value = excluded.value;
