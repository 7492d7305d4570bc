-- Each key has a maker: a user, by id. The id stays when the user is no longer a member, or is erased.
set local lock_timeout = '5s';

alter table api_key add column created_by text;
alter table management_key add column created_by text;

-- Where nobody of the account made it, or a process of the release before did: the owner.
create function key_has_maker() returns trigger language plpgsql as $$
begin
  new.created_by := coalesce(new.created_by, (select user_id from account_member where account_id = new.account_id and role = 'owner'));
  return new;
end $$;
create trigger api_key_has_maker before insert on api_key for each row execute function key_has_maker();
create trigger management_key_has_maker before insert on management_key for each row execute function key_has_maker();

update api_key k set created_by = m.user_id from account_member m where m.account_id = k.account_id and m.role = 'owner';
update management_key k set created_by = m.user_id from account_member m where m.account_id = k.account_id and m.role = 'owner';
create index api_key_maker on api_key (account_id, created_by);
