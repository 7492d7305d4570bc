-- The plan of an account is not paid by a card any more: it ends with the periods that are paid.
create or replace function plan_cancel_renewal(account text) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update account_plan set renewal_points = null, renewal_amount = null, renewal_currency = null,
    ends_with_period = true, next_plan_id = null, failures = 0, failure = null, retry_at = null,
    unpaid_until = null
    where account_id = account and status <> 'ended' and renewal_amount is not null;
end
$$;
