-- Nobody loses the membership of the own account while it is that. No foreign key: two tables that
-- refer to each other cannot be restored from a backup one after the other.
create or replace function user_keeps_own_account() returns trigger language plpgsql as $$
begin
  if exists (select from "user" u join account a on a.id = u.account_id
    where u.id = old.user_id and u.account_id = old.account_id and a.status <> 'closed')
    and not exists (select from account_member
      where account_id = old.account_id and user_id = old.user_id) then
    raise exception 'user % would not be a member of the own account', old.user_id
      using errcode = 'restrict_violation', constraint = 'user_keeps_own_account';
  end if;
  return null;
end
$$;

drop trigger if exists user_keeps_own_account on account_member;
create constraint trigger user_keeps_own_account after delete or update of account_id, user_id
  on account_member
  deferrable initially deferred for each row execute function user_keeps_own_account();
