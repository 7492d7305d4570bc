-- Makes the parts of the next hours that are over. Answers whether more are left; false too while
-- another process counts, and while many requests wait.
create or replace function usage_cut_hours() returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  known timestamptz;
  cut timestamptz;
begin
  if not pg_try_advisory_xact_lock(7340212) then return false; end if;
  if (select count(*) from (select from usage_waiting limit 20001) w) > 20000 then
    return false;
  end if;
  select at into known from usage_cut_head;
  if known = '-infinity' then select min(hour) into known from usage_total_hour; end if;
  loop
    select min(at) into cut
      from (select date_trunc('day', known, 'UTC') + n * interval '1 day' + minute
      * interval '1 minute' as at
      from generate_series(0, 1) n, unnest(usage_cut_minutes()) minute) c where at > known;
    if cut is null or date_trunc('hour', cut, 'UTC') + interval '65 minutes' > now() then
      return false;
    end if;
    -- No month is dropped from here on, so that the next statement sees whether one was.
    lock table request in access share mode;
    perform usage_cut_at(cut);
    update usage_cut_head set at = cut;
    known := cut;
    if clock_timestamp() > now() + interval '0.3 seconds' then return true; end if;
  end loop;
end
$$;
