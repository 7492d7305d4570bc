-- Who leaves takes the details along. Invoices that were made are kept, as tax law wants.
create or replace function account_billing_end() returns trigger language plpgsql as $$
begin
  delete from account_billing where account_id = new.id;
  return null;
end
$$;

create or replace trigger account_billing_end after update of status on account
  for each row when (new.status = 'closed' and old.status <> 'closed')
  execute function account_billing_end();
