-- Rows take their places one after another: the head is locked until the row is committed.
create or replace function operator_action_chained() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare head operator_action_head;
begin
  select * into strict head from operator_action_head for update;
  new.seq := head.seq + 1;
  new.at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := operator_action_hash(head.hash, new);
  update operator_action_head set seq = new.seq, hash = new.hash;
  return new;
end
$$;

create or replace trigger chained before insert on operator_action
  for each row execute function operator_action_chained();
