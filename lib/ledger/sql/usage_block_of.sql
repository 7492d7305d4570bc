-- The beginning of the block of a time: four hours from a midnight (UTC), or from 4, 8, 12, 16 or
-- 20 o'clock.
create or replace function usage_block_of(moment timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select date_bin('4 hours', moment, '2000-01-01 00:00:00+00')
$$;
