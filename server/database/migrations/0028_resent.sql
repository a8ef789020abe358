-- After a restore devices send again what the server has forgotten (docs/adr/0036-order-after-restore.md): where those operations stood in the
-- lost history. `seq` is null for what had not been sent then.
create table resent (
  op_key uuid primary key references operation,
  epoch text not null,
  seq bigint
);
grant select, insert on resent to zhenglu_app;
