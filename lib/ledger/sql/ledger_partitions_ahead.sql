-- Makes the partitions of the months up to `months` after this one; answers how many it made, null
-- while another process does so. Fails when the table is in use for longer than a moment, and can
-- be called again.
create or replace function ledger_partitions_ahead(months integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  month timestamp;
  made integer := 0;
begin
  if not pg_try_advisory_xact_lock(7340213) then return null; end if;
  perform set_config('lock_timeout', '200ms', true);
  -- The first 48 bits of an id are its time in milliseconds.
  select to_timestamp(
      ('x' || substr(replace(max(below::text), '-', ''), 1, 12))::bit(48)::bigint / 1000.0
    ) at time zone 'UTC' into strict month
    from ledger_partitions();
  while month <= date_trunc('month', now() at time zone 'UTC')
    + make_interval(months => least(months, 24)) loop
    perform ledger_add_partition('request' || to_char(month, '_YYYY_MM'),
      ledger_first_id(month at time zone 'UTC'),
      ledger_first_id((month + interval '1 month') at time zone 'UTC'));
    made := made + 1;
    month := month + interval '1 month';
  end loop;
  return made;
end
$$;

-- When a database is made or upgraded; the server calls it again every day.
select ledger_partitions_ahead(3);
