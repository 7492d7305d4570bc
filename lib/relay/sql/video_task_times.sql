-- Notes when a task was accepted by its upstream and when it was first seen running.
create or replace function video_task_times() returns trigger language plpgsql as $$
begin
  if new.submit_state = 'accepted' then
    new.submitted_at := coalesce(new.submitted_at, now());
  end if;
  if new.status = 'running' then new.running_at := coalesce(new.running_at, now()); end if;
  return new;
end
$$;

create or replace trigger video_task_times before update of submit_state, status on video_task
  for each row when (new.submit_state is distinct from old.submit_state
    or new.status is distinct from old.status)
  execute function video_task_times();
