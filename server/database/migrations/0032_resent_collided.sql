-- What of an operation another's will stood against, in the history that was lost (docs/adr/0036-order-after-restore.md): an operation that waits here for
-- its project or for a decision collides again when it is applied, and a deletion that comes late knows what was entered against it.
alter table resent add column collided jsonb not null default '[]';
