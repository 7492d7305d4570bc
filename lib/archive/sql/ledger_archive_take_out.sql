-- Drops the partition of a month and notes it. Only the owner may call it, and only
-- `lib/archive/drop-month.ts` does: whether the files have every row is what the database cannot
-- see.
create or replace function ledger_archive_take_out(month date) returns void language plpgsql as $$
declare
  part constant text := ledger_month_partition(month);
begin
  if part is null then
    raise exception 'ledger_archive_drop: the month has no partition of its own'
      using errcode = 'check_violation';
  end if;
  execute format('drop table public.%I', part);
  perform ledger_archive_note_drop(month);
end
$$;
