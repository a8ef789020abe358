-- Rises whenever anybody's rights in the project change. A write names the one under which it was judged, so that no write can pass a
-- withdrawal that was committed before it.
alter table project add column rights_rev integer not null default 0;
