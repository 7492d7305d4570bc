-- The first payment whose points were credited is the one that counts, whatever comes after it.
create or replace function referral_paid() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update referral set payment_id = new.id, paid_at = new.credited_at
    where account_id = new.account_id and payment_id is null;
  return null;
end
$$;

create or replace trigger payment_referral_paid after update of credited_at on payment
  for each row when (old.credited_at is null and new.credited_at is not null)
  execute function referral_paid();
