-- Completes the answers of ledger_end with what had ended before.
create or replace function ledger_ended_before(
  everyone text[], ids uuid[], payers integer[], answers text[]
) returns text language plpgsql as $$
declare
  first_id uuid;
  last_id uuid;
begin
  select x into first_id from unnest(ids) x order by x limit 1;
  select x into last_id from unnest(ids) x order by x desc limit 1;
  return string_agg(coalesce(u.answer, left(r.outcome, 1) || r.amount, 'a'), ',' order by u.place)
    from unnest(ids, payers, answers) with ordinality
           as u(id, payer, answer, place)
    left join lateral (
      select e.outcome, e.amount from request e
       where e.id = u.id and e.id between first_id and last_id
         and e.account_id = everyone[u.payer] offset 0) r on u.answer is null;
end
$$;
