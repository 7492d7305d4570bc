-- The minutes of a day (UTC) at which a time zone has midnight within an hour: Newfoundland, the
-- Marquesas, Chatham, central Australia and Lord Howe, Eucla, Myanmar, Nepal, India, Afghanistan
-- and Iran, in summer and in winter.
create or replace function usage_cut_minutes() returns integer[]
language sql immutable parallel safe as $$
  select array[150, 210, 570, 615, 675, 810, 870, 915, 1050, 1095, 1110, 1170, 1230]
$$;
