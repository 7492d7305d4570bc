-- Up to when requests have a partition of their own, and how many (up to 1000) have none.
create or replace function ledger_partition_state()
returns table (until timestamptz, strays integer)
language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select (select to_timestamp(('x' || substr(replace(max(p.below::text), '-', ''), 1, 12))
            ::bit(48)::bigint / 1000.0) from ledger_partitions() p),
         (select count(*)::integer from (select from request_default limit 1000) d)
$$;
