-- A change of a group's multiplier is told under the group: processes keep the terms of groups in
-- memory.
create or replace function account_group_told() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change',
    'account_group:' || case when tg_op = 'DELETE' then old.group_id else new.group_id end);
  return null;
end
$$;

create or replace trigger notify_change after insert or update or delete on account_group_multiplier
  for each row execute function account_group_told();
