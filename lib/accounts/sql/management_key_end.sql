-- An account that is closed takes its management keys with it, however it is closed.
create or replace function management_key_end() returns trigger language plpgsql as $$
begin
  update management_key set name = 'erased', revoked_at = coalesce(revoked_at, now())
    where account_id = new.id;
  return null;
end
$$;

create or replace trigger management_key_end after update of status on account
  for each row when (new.status = 'closed' and old.status <> 'closed')
  execute function management_key_end();
