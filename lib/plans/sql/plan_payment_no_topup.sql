-- The payment of a plan is a period, not a top-up, also for a process of an earlier release, which
-- knows no payments of plans.
create or replace function plan_payment_no_topup() returns trigger language plpgsql as $$
begin
  if exists (select from payment where id = new.ref and plan_id is not null) then
    raise exception 'ledger_entry: the payment % is of a plan', new.ref
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create or replace trigger ledger_entry_plan_no_topup before insert on ledger_entry
  for each row when (new.kind = 'topup') execute function plan_payment_no_topup();
