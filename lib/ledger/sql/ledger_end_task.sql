-- Ends a hold and its task in one commit. Answers as ledger_end. A success that comes after the
-- release is noted once as a loss. Of an image's order only its owner's row keeps the prompt.
create or replace function ledger_end_task(
  p_id uuid, account text, is_settled boolean, due bigint, input bigint, output bigint,
  usage jsonb, reason text, channel text, upstream text, streamed boolean, abandoned boolean,
  duration integer, first_byte integer, cause text, estimate bigint, detail jsonb, task jsonb
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  state text;
  answer text;
begin
  select t.status into state from video_task t
   where t.operation_id = p_id and t.account_id = account for update;
  if not found then return 'a'; end if;
  if state in ('queued', 'running') then
    update video_task set status = task ->> 'status', media_id = task ->> 'media',
        error_code = task ->> 'error', output_tokens = (task ->> 'tokens')::bigint,
        facts = task -> 'facts', image_urls = '[]', ended_at = now(), updated_at = now(),
        result_expires_at =
          case when task ->> 'status' = 'succeeded' then now() + interval '24 hours' end,
        lease_owner = null, lease_until = null
      where operation_id = p_id;
    update image_result i set media_id = t.media_id, result_expires_at = t.result_expires_at,
        items = t.facts -> 'items'
      from video_task t where t.operation_id = p_id and t.family = 'image'
        and i.operation_id = p_id and t.media_id is not null;
    update video_task set spec = spec - 'prompt' - 'pictures', settings_removed_at = now()
      where operation_id = p_id and family = 'image';
  end if;
  answer := ledger_end(array[account], array[p_id], array[1], array[is_settled], array[due],
    array[input], array[output], array[usage], array[reason], array[channel], array[upstream],
    array[streamed], array[abandoned], array[duration], array[first_byte], array[cause],
    array[estimate], array[detail], of_task => true);
  if (state in ('queued', 'running')) <> (answer like 'd%') then
    raise exception 'end: a task that was % answers %', state, answer
      using errcode = 'integrity_constraint_violation', constraint = 'task_and_request_agree';
  end if;
  if answer like 'r%' and is_settled then
    insert into operator_loss (operation_id, cause, estimate)
      select p_id, 'late_success', due where not exists (
        select from operator_loss l where l.operation_id = p_id and l.cause = 'late_success');
  end if;
  return answer;
end
$$;
