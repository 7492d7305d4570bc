-- A period of a plan that was not paid is told to its account: each charge that failed, and the
-- end of the plan when none is paid.
create or replace function notification_of_plan_unpaid() returns trigger language plpgsql as $$
declare
  is_over boolean := new.status = 'ended';
begin
  insert into notification (account_id, kind, dedupe_key, data)
    select new.account_id, 'plan_unpaid',
      'plan_unpaid:' || new.id || ':' || extract(epoch from clock_timestamp()),
      jsonb_build_object('id', new.id, 'plan', p.name, 'reason', new.failure,
        'amount', old.renewal_amount, 'currency', old.renewal_currency,
        'retry_at', to_char(new.retry_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'ends_at', case when not is_over then
          to_char(new.unpaid_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end)
      from plan p where p.id = coalesce(old.next_plan_id, old.plan_id)
    on conflict (dedupe_key) do nothing;
  return null;
end
$$;

create or replace trigger notification_of_plan_unpaid after update on account_plan for each row
  when (old.renewal_amount is not null and new.failure is not null
    and (new.failures > old.failures and new.status <> 'ended' and new.unpaid_until > now()
      or new.status = 'ended' and old.status <> 'ended' and new.unpaid_until <= now()))
  execute function notification_of_plan_unpaid();
