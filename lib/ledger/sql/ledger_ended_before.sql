-- The answers of ledger_end where not all of `ids` ended now, but only `ended`.
create or replace function ledger_ended_before(
  everyone text[], ids uuid[], payers integer[], ended uuid[], charges bigint[]
) returns text language plpgsql as $$
declare
  first_id uuid;
  last_id uuid;
begin
  select * into first_id, last_id from ledger_id_range(ids);
  return string_agg(coalesce('d' || charges[u.now], left(r.outcome, 1) || r.amount, 'a'), ','
                    order by u.place)
    from (select i.id, i.place, array_position(ended, i.id) as now
            from unnest(ids) with ordinality i(id, place)) u
    left join lateral (
      select e.outcome, e.amount from request e
       where e.id = u.id and e.id between first_id and last_id
         and e.account_id = everyone[payers[u.place]] offset 0) r on u.now is null;
end
$$;
