-- Counts the next piece of the requests that ended before there were sums, newest first. Answers
-- how many rows it read, 0 when all are counted, null while another process does so.
create or replace function usage_count_earlier(most integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  known uuid;
  lowest uuid;
  read integer;
  earlier uuid[];
begin
  if not pg_try_advisory_xact_lock(7340212) then return null; end if;
  select below into known from usage_backfill where below > '00000000-0000-0000-0000-000000000000';
  if not found then return 0; end if;
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  select count(*), (array_agg(operation_id order by operation_id))[1],
    array_agg(operation_id) filter (where not is_followed)
    into read, lowest, earlier
    from (select operation_id, is_followed from settlement where operation_id < known
      order by operation_id desc limit most) piece;
  if earlier is not null then perform usage_count(earlier); end if;
  update usage_backfill
    set below = case when read < most then '00000000-0000-0000-0000-000000000000' else lowest end;
  return read;
end
$$;
