-- Video tasks: one per operation of the video family, opened with its hold and ended with its settlement, each in one commit.

create table video_task (
  id                text primary key,
  operation_id      uuid not null unique references operation,
  account_id        text not null references account,
  api_key_id        text,
  -- Catalogue identifier, and the name that the request used.
  model             text not null,
  model_named       text not null,
  -- The order, normalized; its images apart, since they may be large, and only until they were sent.
  spec              jsonb not null,
  image_urls        jsonb not null default '[]',
  status            text not null default 'queued',
  -- Where it was sent, as the channel was then: a task stays with what made it.
  channel_id        text,
  channel_protocol  text,
  channel_base_url  text,
  -- intent: written before the bytes leave; accepted: the upstream answered with its id.
  submit_state      text not null default 'none',
  submits           smallint not null default 0,
  upstream_ref      text,
  next_poll_at      timestamptz not null default now(),
  polls             integer not null default 0,
  poll_failures     integer not null default 0,
  lease_owner       text,
  lease_until       timestamptz,
  media_id          text,
  result_expires_at timestamptz,
  error_code        text,
  output_tokens     bigint,
  facts             jsonb,
  callback_url      text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  ended_at          timestamptz,
  hidden_at         timestamptz,
  constraint video_task_status check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired')),
  constraint video_task_submit_state check (submit_state in ('none', 'intent', 'accepted')),
  constraint video_task_sent_somewhere check (submit_state = 'none' or channel_id is not null),
  constraint video_task_accepted_has_ref check ((submit_state = 'accepted') = (upstream_ref is not null)),
  constraint video_task_succeeded_has_result check (status <> 'succeeded' or (media_id is not null and result_expires_at is not null)),
  constraint video_task_failed_says_why check (status not in ('failed', 'cancelled', 'expired') or error_code is not null),
  constraint video_task_ended check ((status in ('queued', 'running')) = (ended_at is null)),
  constraint video_task_upstream unique (channel_id, upstream_ref)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, fillfactor = 70);
create index video_task_due on video_task (next_poll_at) where status in ('queued', 'running');
create index video_task_account on video_task (account_id, created_at desc, id desc);

-- Checked at COMMIT: a visible task state can never disagree with the money.
create function video_task_agrees() returns trigger language plpgsql as $$
declare
  state text;
  ending text;
begin
  select status into state from video_task where id = new.id;
  select outcome into ending from settlement where operation_id = new.operation_id;
  if ending is distinct from (case when state = 'succeeded' then 'settled' when state in ('failed', 'cancelled', 'expired') then 'released' end) then
    raise exception 'task % is % but its settlement is %', new.id, state, coalesce(ending, 'absent') using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger video_task_agrees after insert or update of status on video_task deferrable initially deferred
  for each row execute function video_task_agrees();

-- A settlement never leaves its task behind: the task ends first, in the same commit.
create function settlement_agrees_with_task() returns trigger language plpgsql as $$
begin
  if exists (select from ended e join video_task t on t.operation_id = e.operation_id
              where t.status in ('queued', 'running') or (t.status = 'succeeded') <> (e.outcome = 'settled')) then
    raise exception 'settlement: its video task says otherwise' using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create trigger settlement_agrees_with_task after insert on settlement referencing new table as ended
  for each statement execute function settlement_agrees_with_task();

create trigger video_task_ends_once before update on video_task for each row
  when (new.id <> old.id or new.operation_id <> old.operation_id or new.account_id <> old.account_id
        or (old.status not in ('queued', 'running') and new.status <> old.status) or (old.status = 'running' and new.status = 'queued'))
  execute function ledger_refuse();
create trigger video_task_no_delete before delete on video_task for each row execute function ledger_refuse();
create trigger video_task_no_truncate before truncate on video_task for each statement execute function ledger_refuse();

create function notify_video_task() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', 'video_task:' || new.id);
  return null;
end $$;
create trigger notify_change after update of status on video_task for each row when (new.status <> old.status) execute function notify_video_task();

-- Opens a hold and its task in one commit; answers as ledger_apply does to the hold. No process owns the operation: a worker ends it.
create function ledger_open_task(node_name text, hold json, task json) returns text language plpgsql as $$
declare answer text;
begin
  answer := substr(ledger_apply(node_name, array[hold ->> 'account'], null, json_build_array(hold)), 2);
  if answer not like 'h%' then return answer; end if;
  update open_operation set node_id = null where operation_id = (hold ->> 'id')::uuid and node_id is not null;
  insert into video_task (id, operation_id, account_id, api_key_id, model, model_named, spec, image_urls, callback_url, lease_owner, lease_until)
    values (task ->> 'id', (hold ->> 'id')::uuid, hold ->> 'account', hold ->> 'key', hold ->> 'model', task ->> 'named', (task -> 'spec')::jsonb,
            (task -> 'images')::jsonb, task ->> 'callback', task ->> 'owner', now() + make_interval(secs => (task ->> 'lease')::integer))
    on conflict (id) do nothing;
  return answer;
end $$;

-- Ends a task and its operation in one commit; whoever comes second changes nothing. Answers as ledger_apply does to the end.
-- A success that comes after a release stays uncharged and is written down as a loss.
create function ledger_end_task(node_name text, ending json, task json) returns text language plpgsql as $$
declare
  operation uuid := (ending ->> 'id')::uuid;
  state text;
  answer text;
begin
  select status into state from video_task where operation_id = operation and account_id = ending ->> 'account' for update;
  if not found then return 'a'; end if;
  if state in ('queued', 'running') then
    update video_task set status = task ->> 'status', media_id = task ->> 'media', error_code = task ->> 'error',
           output_tokens = (task ->> 'tokens')::bigint, facts = (task -> 'facts')::jsonb, image_urls = '[]', ended_at = now(), updated_at = now(),
           result_expires_at = case when task ->> 'status' = 'succeeded' then now() + interval '24 hours' end, lease_owner = null, lease_until = null
      where operation_id = operation;
    answer := ledger_apply(node_name, array[ending ->> 'account'], json_build_array(ending), null);
    if answer not like 'd%' then
      raise exception 'the operation of an open task is not open: %', answer using errcode = 'integrity_constraint_violation';
    end if;
    return split_part(answer, ';', 1);
  end if;
  select case s.outcome when 'settled' then 's' else 'r' end || s.amount into answer from settlement s where s.operation_id = operation;
  if answer like 'r%' and (ending ->> 'settled')::boolean then
    insert into operator_loss (operation_id, cause, estimate, detail)
      select operation, 'late_success', (ending ->> 'amount')::bigint, null
       where not exists (select from operator_loss l where l.operation_id = operation and l.cause = 'late_success');
  end if;
  return answer;
end $$;
