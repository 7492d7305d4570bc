-- With the unique index: exactly one owner, from the first one until the account is closed.
create or replace function account_keeps_owner() returns trigger language plpgsql as $$
begin
  if not exists (select from account_member where account_id = old.account_id and role = 'owner')
    and exists (select from account where id = old.account_id and status <> 'closed') then
    raise exception 'account % would have no owner', old.account_id
      using errcode = 'restrict_violation', constraint = 'account_keeps_owner';
  end if;
  return null;
end
$$;

drop trigger if exists account_keeps_owner on account_member;
create constraint trigger account_keeps_owner after delete or update on account_member
  deferrable initially deferred for each row when (old.role = 'owner')
  execute function account_keeps_owner();
