-- A change of a membership is told under the user: processes keep a user's memberships in memory.
create or replace function account_member_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change',
    'account_member:' || case when tg_op = 'DELETE' then old.user_id else new.user_id end);
  return null;
end
$$;

create or replace trigger account_member_changed after insert or update or delete on account_member
  for each row execute function account_member_changed();
