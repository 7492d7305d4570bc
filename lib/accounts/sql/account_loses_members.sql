-- An account that is closed loses its members, however it is closed.
create or replace function account_loses_members() returns trigger language plpgsql as $$
begin
  delete from account_member where account_id = new.id;
  delete from account_invitation where account_id = new.id;
  update account set name = null where id = new.id and name is not null;
  return null;
end
$$;

create or replace trigger account_loses_members after update of status on account
  for each row when (new.status = 'closed' and old.status <> 'closed')
  execute function account_loses_members();
