-- The partitions of the requests with the ids in each; both null for the default one, `starts` null
-- for the first.
create or replace function ledger_partitions()
returns table (name text, starts uuid, below uuid)
language sql stable as $$
  select c.relname::text, substring(b from 'FROM \(''([0-9a-f-]{36})''\)')::uuid,
    substring(b from 'TO \(''([0-9a-f-]{36})''\)')::uuid
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join pg_get_expr(c.relpartbound, c.oid) b
    where i.inhparent = 'request'::regclass
$$;
