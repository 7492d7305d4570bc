-- Brings the points of a credited payment in line with what of it was refunded and is disputed.
-- Rounded down: the buyer keeps the fraction. A paid period that has not begun has no points yet;
-- of several that one payment paid, money that is back is first of those that come last.
create or replace function payment_reverse(payment_id text) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  p payment;
  disputed bigint;
  lost bigint;
  given_back bigint;
  certain_back bigint;
  due bigint := 0;
  certain bigint := 0;
  n record;
  r record;
begin
  select * into p from payment where id = payment_id for update;
  if not found or p.credited_at is null
    or (p.plan_id is not null and coalesce(p.period_number, 0) + cardinality(p.periods_before) = 0)
  then
    return '0:0';
  end if;
  select coalesce(sum(d.amount) filter (where d.status = 'open'), 0),
    coalesce(sum(d.amount) filter (where d.status = 'lost'), 0)
    into disputed, lost from payment_dispute d where d.payment_id = p.id;
  if p.refunded + disputed + lost = 0
    and not exists (select from ledger_reversal where ref = p.id) then
    return '0:0';
  end if;
  given_back := least(p.refunded + disputed + lost, p.amount);
  certain_back := least(p.refunded + lost, p.amount);
  if p.plan_id is null then
    due := div(p.points::numeric * given_back, p.amount)::bigint;
    certain := div(p.points::numeric * certain_back, p.amount)::bigint;
  else
    for n in select number, place::integer as place from unnest(p.periods_before
      || case when p.period_number > 0 then array[p.period_number] end)
      with ordinality u(number, place)
    loop
      -- Of the money of all of them, what is back of this one's, as if it were paid by itself.
      r := paid_period_due(p, n.place, n.number,
        greatest(0, least(p.amount, p.periods * given_back - (p.periods - n.place) * p.amount)),
        greatest(0, least(p.amount, p.periods * certain_back - (p.periods - n.place) * p.amount)));
      due := due + r.due;
      certain := certain + r.certain;
    end loop;
  end if;
  return ledger_reverse(p.account_id, p.id, due, certain, 'Payment refunded or disputed');
end
$$;
