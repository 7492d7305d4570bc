-- What a card pays of a plan is given up before the plan ends, or another one is to follow; its
-- periods begin by the payment or the voucher that paid them. A process of an earlier release,
-- which knows no payments of plans, is refused: one that knows them does what is due.
create or replace function plan_payments_kept() returns trigger language plpgsql as $$
declare
  is_renewed boolean := new.renewal_amount is not null;
  is_paid boolean := new.periods_left < old.periods_left or exists (select from payment
    where account_plan_id = new.id and new.number = any (periods_before || period_number));
begin
  if new.status = 'ended' then
    is_renewed := is_renewed or exists (select from payment
      where account_plan_id = new.id and period_number is null);
  elsif new.number > old.number then
    is_renewed := is_renewed and is_paid is not true;
  else
    is_renewed := is_renewed and (new.renewal_points, new.renewal_amount, new.renewal_currency)
      = (old.renewal_points, old.renewal_amount, old.renewal_currency);
  end if;
  if is_renewed then
    raise exception 'account_plan: what is paid by card is not given up, or not paid'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create or replace trigger account_plan_payments_kept before update on account_plan
  for each row when (old.status <> 'ended' and (new.status = 'ended' or new.number > old.number
    or new.next_plan_id is distinct from old.next_plan_id))
  execute function plan_payments_kept();
