-- Wakes those who wait for a task, and its worker, when its state changes.
create or replace function notify_video_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', 'video_task:' || new.id);
  return null;
end
$$;

create or replace trigger notify_change after update of status on video_task
  for each row when (new.status <> old.status)
  execute function notify_video_task();
