-- A closed account leaves its group.
create or replace function account_leaves_group() returns trigger language plpgsql as $$
begin
  new.group_id := null;
  return new;
end
$$;

create or replace trigger account_leaves_group before insert or update on account
  for each row when (new.status = 'closed' and new.group_id is not null)
  execute function account_leaves_group();
