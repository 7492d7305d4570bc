-- Brings the points of a credited payment in line with what of it was refunded and is disputed.
-- Rounded down: the buyer keeps the fraction.
create or replace function payment_reverse(payment_id text) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  p payment;
  disputed bigint;
  lost bigint;
begin
  select * into p from payment where id = payment_id for update;
  if not found or p.credited_at is null then return '0:0'; end if;
  select coalesce(sum(d.amount) filter (where d.status = 'open'), 0),
    coalesce(sum(d.amount) filter (where d.status = 'lost'), 0)
    into disputed, lost from payment_dispute d where d.payment_id = p.id;
  if p.refunded + disputed + lost = 0
    and not exists (select from ledger_reversal where ref = p.id) then
    return '0:0';
  end if;
  return ledger_reverse(p.account_id, p.id,
    div(p.points::numeric * least(p.refunded + disputed + lost, p.amount), p.amount)::bigint,
    div(p.points::numeric * least(p.refunded + lost, p.amount), p.amount)::bigint,
    'Payment refunded or disputed');
end
$$;
