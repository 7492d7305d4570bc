-- Adds requests, each once, to the sums of hours and days. Called under the lock of its caller, so
-- that the sums have one writer.
create or replace function usage_count(ids uuid[]) returns void language plpgsql
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off as $$
declare
  rows usage_row[];
begin
  -- The tables grow from nothing to millions of rows: a plan that is kept would be the wrong one
  -- for most of that time.
  perform set_config('plan_cache_mode', 'force_custom_plan', true);
  rows := array(select u from unnest(ids) i(id) join usage_row u on u.id = i.id);
  perform usage_add_days(rows);
  perform usage_add_hours(rows);
  perform usage_add_totals(rows);
end
$$;
