-- The audit log only grows.
create or replace function refuse_action_change() returns trigger language plpgsql as $$
begin
  raise exception 'operator_action is append-only';
end
$$;

create or replace trigger append_only before update or delete on operator_action
  for each row execute function refuse_action_change();
create or replace trigger no_truncate before truncate on operator_action
  for each statement execute function refuse_action_change();
create or replace trigger no_truncate before truncate on operator_action_head
  for each statement execute function refuse_action_change();
create or replace trigger only_by_trigger before insert or update or delete on operator_action_head
  for each row when (pg_trigger_depth() = 0)
  execute function refuse_action_change();
