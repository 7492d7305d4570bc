-- Wakes those who wait for a task when its state changes, and the workers, which poll it from the
-- time at which its upstream has it.
create or replace function notify_video_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', 'video_task:' || new.id);
  return null;
end
$$;

create or replace trigger notify_change after update of status, submit_state on video_task
  for each row when (new.status <> old.status
    or new.submit_state = 'accepted' and old.submit_state <> 'accepted')
  execute function notify_video_task();
