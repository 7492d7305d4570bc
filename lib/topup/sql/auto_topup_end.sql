-- Who leaves has no saved card, and is forgotten by the payment provider.
create or replace function auto_topup_end() returns trigger language plpgsql as $$
begin
  insert into stripe_removal (id) select customer_id from auto_topup
    where account_id = new.id on conflict do nothing;
  delete from auto_topup where account_id = new.id;
  return null;
end
$$;

create or replace trigger account_auto_topup_end after update of status on account
  for each row when (new.status = 'closed' and old.status <> 'closed')
  execute function auto_topup_end();
