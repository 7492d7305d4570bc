-- A payment that was credited or failed is told to its account, in the same commit. That the saved
-- card could not pay for a plan is told by `notification_of_plan_unpaid`, with what follows; a
-- failure that has paused automatic top-up in this commit, by `notification_of_topup_pause`.
create or replace function notification_of_payment() returns trigger language plpgsql as $$
declare told text := case when new.status = 'failed' then 'payment_failed' else 'payment_paid' end;
begin
  if told = 'payment_failed' and exists (select from auto_topup_charge c
        left join auto_topup t on t.account_id = c.account_id
      where c.payment_id = new.id and (c.account_plan_id is not null or t.paused_at = now())) then
    return null;
  end if;
  insert into notification (account_id, kind, dedupe_key, data)
    values (new.account_id, told, told || ':' || new.id,
    jsonb_strip_nulls(jsonb_build_object('payment', new.id,
      'points', trim_scale(new.points::numeric / 1000000)::text, 'amount', new.amount,
      'currency', new.currency,
      'plan', case when new.plan_id is not null then new.package_name end)))
    on conflict (dedupe_key) do nothing;
  return null;
end
$$;

create or replace trigger notification_of_payment after update on payment
  for each row when (new.credited_at is not null and old.credited_at is null
    or new.status = 'failed' and old.status <> 'failed')
  execute function notification_of_payment();
