-- Counts at most `most` waiting requests; answers how many, null while another process does so.
create or replace function usage_count_waiting(most integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare taken uuid[];
begin
  if not pg_try_advisory_xact_lock(7340212) then return null; end if;
  with gone as (
    delete from usage_waiting where ctid = any(array(select ctid from usage_waiting limit most))
      returning operation_id
  )
  select array_agg(operation_id) into taken from gone;
  if taken is null then return 0; end if;
  perform usage_count(taken);
  return cardinality(taken);
end
$$;
