-- Each state of a task that has a callback address gets one delivery, in the commit of the state.
-- An order may name the states that it wants.
create or replace function callback_due() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not coalesce(new.spec -> 'callbackStates' ? new.status, true) then return null; end if;
  insert into callback_delivery (task_id, account_id, url, status)
    values (new.id, new.account_id, new.callback_url, new.status)
    on conflict (task_id, status) do nothing;
  return null;
end
$$;

create or replace trigger callback_due after update of status on video_task
  for each row when (new.callback_url is not null and new.status <> old.status)
  execute function callback_due();
create or replace trigger callback_due_at_start after insert on video_task
  for each row when (new.callback_url is not null)
  execute function callback_due();
