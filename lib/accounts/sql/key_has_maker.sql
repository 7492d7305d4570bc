-- A key without a maker gets the account's owner as its maker.
create or replace function key_has_maker() returns trigger language plpgsql as $$
begin
  new.created_by :=
    coalesce(new.created_by,
    (select user_id from account_member where account_id = new.account_id and role = 'owner'));
  return new;
end
$$;

create or replace trigger api_key_has_maker before insert on api_key
  for each row execute function key_has_maker();
create or replace trigger management_key_has_maker before insert on management_key
  for each row execute function key_has_maker();
