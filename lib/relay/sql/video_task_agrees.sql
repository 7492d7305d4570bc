-- Checked at COMMIT: a visible task state can never disagree with the money.
create or replace function video_task_agrees() returns trigger language plpgsql as $$
declare
  state text;
  ending text;
begin
  select status into state from video_task where id = new.id;
  select outcome into ending from request where id = new.operation_id;
  if ending is distinct from (case when state = 'succeeded' then 'settled'
    when state in ('failed', 'cancelled', 'expired') then 'released' end) then
    raise exception 'task % is % but its request is %', new.id, state, coalesce(ending, 'absent')
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end
$$;

drop trigger if exists video_task_agrees on video_task;
create constraint trigger video_task_agrees after insert or update of status on video_task
  deferrable initially deferred for each row execute function video_task_agrees();
