-- Up to when requests have a partition of their own, and how many (up to 1000) have none.
create or replace function ledger_partition_state()
returns table (until timestamptz, strays integer)
language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select (select min(last) from (
    select to_timestamp(('x'
      || substr(replace(max(below::text), '-', ''), 1, 12))::bit(48)::bigint / 1000.0) as last
      from unnest(array['settlement', 'operation']) parent, ledger_partitions(parent)
        group by parent) t),
    (select count(*)::integer from (select from operation_default limit 1000) d)
$$;
