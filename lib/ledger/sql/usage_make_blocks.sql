-- Makes the next blocks that are over. Answers whether more are left; false too while another
-- process counts, and while many requests wait.
create or replace function usage_make_blocks() returns boolean language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  known timestamptz;
  made  bigint;
begin
  if not pg_try_advisory_xact_lock(7340212) then return false; end if;
  if (select count(*) from (select from usage_waiting limit 20001) w) > 20000 then
    return false;
  end if;
  select at into known from usage_block_head;
  if known = '-infinity' then
    select usage_block_of(min(hour)) - interval '4 hours' into known from usage_total_hour;
  end if;
  loop
    known := known + interval '4 hours';
    if known is null or known + interval '4 hours 5 minutes' > now() then return false; end if;
    select sum(settled + released) into made from usage_total_hour
      where hour >= known and hour < known + interval '4 hours';
    if made >= 20 then perform usage_block_at(known); end if;
    update usage_block_head set at = known;
    if clock_timestamp() > now() + interval '0.3 seconds' then return true; end if;
  end loop;
end
$$;
