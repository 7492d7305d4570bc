-- The first id of a month (UTC), which is also the end of the month before.
create or replace function ledger_archive_starts(month date) returns uuid language sql stable as $$
  select ledger_first_id(month::timestamp at time zone 'UTC')
$$;
