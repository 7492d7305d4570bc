-- A task that ended is told where a webhook or a member asked for it. Nothing is written where
-- nobody did.
create or replace function notification_of_task() returns trigger language plpgsql as $$
begin
  if exists (select from webhook_endpoint e
    where e.account_id = new.account_id and e.paused_at is null and 'task_finished' = any(e.kinds))
    or exists (select from account_member m join notification_choice c on c.user_id = m.user_id
      where m.account_id = new.account_id and c.kind = 'task_finished' and c.by_mail) then
    insert into notification (account_id, kind, dedupe_key, data)
      values (new.account_id, 'task_finished', 'task_finished:' || new.id,
      jsonb_build_object('task', new.id, 'model', new.model, 'status', new.status))
      on conflict (dedupe_key) do nothing;
  end if;
  return null;
end
$$;

create or replace trigger notification_of_task after update of status on video_task
  for each row when (old.status in ('queued', 'running')
    and new.status not in ('queued', 'running'))
  execute function notification_of_task();
