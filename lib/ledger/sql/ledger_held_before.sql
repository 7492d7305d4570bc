-- The answers to holds that were sent before: 'h' and what was held then. Null where there are
-- none.
create or replace function ledger_held_before(everyone text[], ids uuid[], payers integer[])
returns text[] language plpgsql as $$
declare
  first_id uuid;
  last_id uuid;
begin
  select * into first_id, last_id from ledger_id_range(ids);
  if not exists (select from open_request o where o.id = any(ids))
     and not exists (
       select from request r where r.id = any(ids) and r.id between first_id and last_id) then
    return null;
  end if;
  if exists (select from unnest(ids, payers) u(id, payer) join request_known r on r.id = u.id
              where r.account_id <> everyone[u.payer]) then
    raise exception 'hold: the id belongs to another account'
      using errcode = 'unique_violation', constraint = 'request_of_one_account';
  end if;
  return array(select 'h' || r.hold_amount
    from unnest(ids) with ordinality u(id, place) left join request_known r on r.id = u.id
   order by u.place);
end
$$;
