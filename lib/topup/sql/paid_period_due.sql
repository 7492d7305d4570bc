-- The points to be taken back of one period of a payment, the one at `place`: the share of them
-- that was paid back, less what of them had ended when that was decided, and not below 0. What ends
-- later of the rest changes nothing, so each decision is kept with the money of which it was, and
-- goes when a dispute is won. The caller has locked the payment. `certain`: without the disputes
-- that are open. Both sums of money are those of the period, as if it were paid by itself.
create or replace function paid_period_due(
  p payment, place integer, number integer, given_back bigint, certain_back bigint, out due bigint,
  out certain bigint
) language plpgsql as $$
declare
  before jsonb := case when p.periods = 1 then p.period_dues
    else coalesce(p.period_dues -> place::text, '{}') end;
  ended bigint;
  kept jsonb;
begin
  perform from wallet where account_id = p.account_id for update;
  select l.expired into strict ended from ledger_entry e join point_lot l on l.entry_id = e.id
    where e.kind = 'plan' and e.ref = p.account_plan_id || ':' || number;
  select coalesce(jsonb_object_agg(key, value), '{}') into kept from jsonb_each(before)
    where key::bigint <= given_back;
  due := coalesce((kept ->> given_back::text)::bigint, greatest(
    div(p.points::numeric * given_back, p.amount)::bigint - ended,
    (select max(value::bigint) from jsonb_each_text(kept)), 0));
  certain := coalesce((kept ->> certain_back::text)::bigint, least(due, greatest(
    div(p.points::numeric * certain_back, p.amount)::bigint - ended,
    (select max(value::bigint) from jsonb_each_text(kept) where key::bigint < certain_back), 0)));
  if given_back > 0 then kept := kept || jsonb_build_object(given_back::text, due); end if;
  if kept <> before then
    update payment set period_dues = case when p.periods = 1 then kept
      else period_dues || jsonb_build_object(place::text, kept) end where id = p.id;
  end if;
end
$$;
