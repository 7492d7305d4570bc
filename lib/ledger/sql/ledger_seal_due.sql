-- The next day that can be sealed: it is over, and everything that happened on it is in pieces.
-- Null when there is none.
create or replace function ledger_seal_due() returns date language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  h ledger_seal_head;
  last ledger_seal;
  due date;
begin
  select * into strict h from ledger_seal_head;
  select * into last from ledger_seal order by number desc limit 1;
  due := greatest(least((select min(day) from ledger_draft),
    (select min((created_at at time zone 'UTC')::date) from ledger_entry
      where id > coalesce(last.entry, -9223372036854775807) and id <= h.entry)), last.day + 1);
  if not exists (select from ledger_draft)
    and not exists (select from ledger_entry
    where id > coalesce(last.entry, -9223372036854775807) and id <= h.entry) then
    return null;
  end if;
  if h.below < ledger_first_id((due + 1)::timestamp at time zone 'UTC' + interval '10 minutes')
    or exists (select from ledger_entry
      where id > h.entry and created_at < (due + 1)::timestamp at time zone 'UTC')
    or exists (select from ledger_apart a join request r on r.id = a.operation_id
      where a.piece is null and r.ended_at < (due + 1)::timestamp at time zone 'UTC') then
    return null;
  end if;
  return due;
end
$$;
