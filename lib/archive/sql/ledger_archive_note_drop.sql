-- Notes that the requests of an archived month are no longer in the tables, in the transaction that
-- took them out. Only the owner may call it.
create or replace function ledger_archive_note_drop(month date) returns void language plpgsql as $$
declare
  refusal text;
  d ledger_archive_drop;
  last ledger_archive_drop;
begin
  lock table ledger_archive_drop in share row exclusive mode;
  refusal := ledger_archive_drop_refusal(month);
  if refusal is not null then
    raise exception 'ledger_archive_drop: %', refusal using errcode = 'check_violation';
  end if;
  d.month := month;
  d.starts := ledger_archive_starts(month);
  d.below := ledger_archive_starts((month + interval '1 month')::date);
  select a.hash into d.archive_hash from ledger_archive a
    where a.month = ledger_archive_note_drop.month;
  if exists (select from request r where r.id >= d.starts and r.id < d.below) then
    raise exception 'ledger_archive_drop: the month has rows' using errcode = 'check_violation';
  end if;
  select * into last from ledger_archive_drop x order by x.number desc limit 1;
  d.number := coalesce(last.number, 0) + 1;
  d.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  d.hash := sha256(d.previous_hash
    || record_send(row(d.month, d.number, d.starts, d.below, d.archive_hash)));
  d.dropped_at := clock_timestamp();
  insert into ledger_archive_drop select d.*;
end
$$;
