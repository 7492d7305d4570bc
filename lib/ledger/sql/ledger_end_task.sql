-- Ends a task and its operation in one commit; whoever comes second changes nothing. Answers as
-- ledger_apply does to the end. A success that comes after a release stays uncharged and is written
-- down as a loss.
create or replace function ledger_end_task(node_name text, ending json, task json) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  operation uuid := (ending ->> 'id')::uuid;
  state text;
  answer text;
begin
  select status into state from video_task
    where operation_id = operation and account_id = ending ->> 'account' for update;
  if not found then return 'a'; end if;
  if state in ('queued', 'running') then
    update video_task
      set status = task ->> 'status', media_id = task ->> 'media', error_code = task ->> 'error',
      output_tokens = (task ->> 'tokens')::bigint, facts = (task -> 'facts')::jsonb,
      image_urls = '[]', ended_at = now(), updated_at = now(),
      result_expires_at =
      case when task ->> 'status' = 'succeeded' then now() + interval '24 hours' end,
      lease_owner = null, lease_until = null
      where operation_id = operation;
    answer := ledger_apply(node_name, array[ending ->> 'account'], json_build_array(ending), null);
    if answer not like 'd%' then
      raise exception 'the operation of an open task is not open: %', answer
        using errcode = 'integrity_constraint_violation';
    end if;
    return split_part(answer, ';', 1);
  end if;
  select case s.outcome when 'settled' then 's' else 'r' end || s.amount into answer
    from settlement s where s.operation_id = operation;
  if answer like 'r%' and (ending ->> 'settled')::boolean then
    insert into operator_loss (operation_id, cause, estimate, detail)
      select operation, 'late_success', (ending ->> 'amount')::bigint, null
        where not exists (select from operator_loss l
          where l.operation_id = operation and l.cause = 'late_success');
  end if;
  return answer;
end
$$;
