-- Ends the charge of a payment whose points were credited, whoever credits them; the next top-up
-- then waits for no earlier failure.
create or replace function auto_topup_credited() returns trigger language plpgsql as $$
begin
  update auto_topup_charge set ended_at = coalesce(ended_at, now()), outcome = 'credited'
    where payment_id = new.id;
  if found and new.plan_id is null then
    update auto_topup set failures = 0, retry_at = null where account_id = new.account_id;
  end if;
  return null;
end
$$;

create or replace trigger payment_auto_topup_credited after update of credited_at on payment
  for each row when (old.credited_at is null and new.credited_at is not null)
  execute function auto_topup_credited();
