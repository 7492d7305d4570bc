-- A charge of a saved card is never deleted. Its terms never change, nor its end, except that one
-- that was thought to have failed is credited after all.
create or replace function auto_topup_charge_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a charge is never deleted' using errcode = 'integrity_constraint_violation';
  end if;
  if (new.payment_id, new.account_id, new.customer_id, new.card_id, new.created_at,
      new.account_plan_id)
    is distinct from (old.payment_id, old.account_id, old.customer_id, old.card_id, old.created_at,
      old.account_plan_id)
    or (old.ended_at is not null and (new.ended_at is null or new.outcome <> 'credited')) then
    raise exception 'the terms and the end of a charge do not change'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create or replace trigger auto_topup_charge_kept before update or delete on auto_topup_charge
  for each row execute function auto_topup_charge_kept();
