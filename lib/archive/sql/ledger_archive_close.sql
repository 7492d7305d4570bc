-- Notes that all requests of a month are in its parts. False: that was noted before.
create or replace function ledger_archive_close(month date) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  refusal text := ledger_archive_refusal(month);
  starts uuid := ledger_archive_starts(month);
  below uuid := ledger_archive_starts((month + interval '1 month')::date);
  a ledger_archive;
  last ledger_archive;
  ended bigint;
begin
  if refusal is not null then
    raise exception 'ledger_archive: %', refusal using errcode = 'check_violation';
  end if;
  -- One after another, since each row follows the one before. Readers do not wait.
  lock table ledger_archive in share row exclusive mode;
  if exists (select from ledger_archive x where x.month = ledger_archive_close.month) then
    return false;
  end if;
  select count(*), sum(p.bytes), sum(p.requests), sum(p.charges), sum(p.charged)
    into a.parts, a.bytes, a.requests, a.charges, a.charged
    from ledger_archive_part p where p.month = ledger_archive_close.month;
  select count(*) into ended from request r where r.id >= starts and r.id < below;
  if a.parts = 0 or ended <> a.requests then
    raise exception 'ledger_archive: the parts do not have all requests of the month'
      using errcode = 'check_violation';
  end if;
  select * into last from ledger_archive x order by x.number desc limit 1;
  a.month := month;
  a.number := coalesce(last.number, 0) + 1;
  a.parts_hash := ledger_archive_parts_hash(month);
  select s.number, s.hash into strict a.seal, a.seal_hash from ledger_seal s order by s.number desc
    limit 1;
  a.previous_hash := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  a.hash := ledger_archive_hash(a.previous_hash, a);
  a.made_at := clock_timestamp();
  insert into ledger_archive select a.*;
  return true;
end
$$;
