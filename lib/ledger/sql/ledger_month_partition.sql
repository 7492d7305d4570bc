-- The partition with the ids of a month and no others; null when the month shares one.
create or replace function ledger_month_partition(month date) returns text
language sql stable as $$
  select p.name from ledger_partitions() p
    where p.starts = ledger_archive_starts(month)
      and p.below = ledger_archive_starts((month + interval '1 month')::date)
$$;
