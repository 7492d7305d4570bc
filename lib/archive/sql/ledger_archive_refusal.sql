-- Why a month cannot be archived now; null when it can. Refunds, receipts and work that runs need
-- what is younger than three full months.
create or replace function ledger_archive_refusal(month date) returns text
language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  starts uuid := ledger_archive_starts(month);
  ends uuid := ledger_archive_starts((month + interval '1 month')::date);
  sealed bigint;
begin
  if month <> date_trunc('month', month) then return 'no_month'; end if;
  if month + interval '4 months' > now() at time zone 'UTC' then return 'too_young'; end if;
  if exists (select from open_request o where o.id >= starts and o.id < ends)
    or exists (select from video_task v
      where v.operation_id >= starts and v.operation_id < ends and v.ended_at is null) then
    return 'open';
  end if;
  select s.piece into sealed from ledger_seal s order by s.number desc limit 1;
  if not exists (select from ledger_piece p where p.number <= sealed and p.below >= ends)
    or exists (select from ledger_apart a
      where a.operation_id >= starts and a.operation_id < ends
      and (a.piece is null or a.piece > sealed)) then
    return 'not_sealed';
  end if;
  return null;
end
$$;
