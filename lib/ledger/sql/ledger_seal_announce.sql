-- Announces what the next pieces may take, once every transaction from before is over. What is
-- younger than a quarter of an hour stays: most of it is still open.
create or replace function ledger_seal_announce() returns void language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update ledger_seal_head
    set announced = greatest(announced, ledger_first_id(clock_timestamp() - interval '15 minutes')),
    announced_entry = greatest(announced_entry, (select max(id) from ledger_entry)),
    announced_loss = greatest(announced_loss, (select max(id) from operator_loss));
  -- It is joined to every piece, and grows from nothing.
  analyze ledger_apart;
end
$$;
