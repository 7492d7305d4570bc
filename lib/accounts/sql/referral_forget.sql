-- Who leaves is in no open referral any more; what was decided stays with the ledger, under the
-- accounts' ids.
create or replace function referral_forget() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from referral where decided_at is null and (account_id = new.id or referrer_id = new.id);
  return null;
end
$$;

create or replace trigger account_referral_forget after update of status on account
  for each row when (new.status = 'closed' and old.status <> 'closed')
  execute function referral_forget();
