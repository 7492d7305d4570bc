-- An account that is closed takes all of it with it, however it is closed.
create or replace function notification_end() returns trigger language plpgsql as $$
begin
  delete from webhook_endpoint where account_id = new.id;
  delete from notification where account_id = new.id;
  delete from notification_told where account_id = new.id;
  return null;
end
$$;

create or replace trigger notification_end after update of status on account
  for each row when (new.status = 'closed' and old.status <> 'closed')
  execute function notification_end();
