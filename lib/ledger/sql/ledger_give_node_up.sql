-- Gives a dead node up and writes down who did so; answers how many requests it had open, null
-- while its lease is alive or there is none.
create or replace function ledger_give_node_up(node_name text, given_up_by text) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  store text;
  open integer;
begin
  delete from node where id = node_name and lease_until < clock_timestamp() returning store_id
    into store;
  if not found then return null; end if;
  select count(*) into open from open_request where node_id = node_name;
  insert into node_release (node_id, store_id, actor, operations)
    values (node_name, store, given_up_by, open);
  return open;
end
$$;
