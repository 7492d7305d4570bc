-- Why an archived month cannot be dropped now; null when it can. Whether it has a partition of its
-- own is not asked.
create or replace function ledger_archive_drop_refusal(month date) returns text
language plpgsql stable as $$
declare
  starts uuid := ledger_archive_starts(month);
  below uuid := ledger_archive_starts((month + interval '1 month')::date);
begin
  if not exists (select from ledger_archive a
    where a.month = ledger_archive_drop_refusal.month) then
    return 'the month is not archived';
  end if;
  if exists (select from ledger_archive_drop d
    where d.month = ledger_archive_drop_refusal.month) then
    return 'the month was dropped before';
  end if;
  -- Until they are in the sums, lists and charts read the rows.
  if exists (select from usage_waiting w
    where w.operation_id >= starts and w.operation_id < below) then
    return 'a request is not in the sums';
  end if;
  -- The sums of hours are compared with the requests that have ids of about that time.
  if exists (select from ledger_apart a where a.operation_id >= starts and a.operation_id < below
    and (a.created_at < month::timestamp at time zone 'UTC' - interval '5 minutes'
      or a.created_at >= (month + interval '1 month') at time zone 'UTC'
        + interval '5 minutes')) then
    return 'a request has an id of another month';
  end if;
  return null;
end
$$;
