-- A user is a member of the own account; the first one owns it.
create or replace function user_joins_own_account() returns trigger language plpgsql as $$
begin
  insert into account_member (account_id, user_id, role) values (new.account_id, new.id,
    case when exists (select from account_member
      where account_id = new.account_id and role = 'owner') then 'admin' else 'owner' end)
    on conflict do nothing;
  return null;
end
$$;

create or replace trigger user_joins_own_account after insert or update of account_id on "user"
  for each row execute function user_joins_own_account();
