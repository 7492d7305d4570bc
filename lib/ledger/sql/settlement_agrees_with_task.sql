-- A settlement never leaves its task behind: the task ends first, in the same commit.
create or replace function settlement_agrees_with_task() returns trigger language plpgsql as $$
begin
  if exists (select from ended e join video_task t on t.operation_id = e.operation_id
    where t.status in ('queued', 'running')
      or (t.status = 'succeeded') <> (e.outcome = 'settled')) then
    raise exception 'settlement: its video task says otherwise'
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

create or replace trigger settlement_agrees_with_task after insert on settlement
  referencing new table as ended for each statement execute function settlement_agrees_with_task();
