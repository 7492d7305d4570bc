-- Opens a hold and its task in one commit; answers as ledger_apply does to the hold. No process
-- owns the operation: a worker ends it.
create or replace function ledger_open_task(node_name text, hold json, task json) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare answer text;
begin
  answer := substr(ledger_apply(node_name, array[hold ->> 'account'], null, json_build_array(hold)),
    2);
  if answer not like 'h%' then return answer; end if;
  update open_operation set node_id = null
    where operation_id = (hold ->> 'id')::uuid and node_id is not null;
  insert into video_task (id, operation_id, account_id, api_key_id, model, model_named, spec,
    image_urls, callback_url, lease_owner, lease_until)
    values (task ->> 'id', (hold ->> 'id')::uuid, hold ->> 'account', hold ->> 'key',
      hold ->> 'model', task ->> 'named', (task -> 'spec')::jsonb, (task -> 'images')::jsonb,
      task ->> 'callback', task ->> 'owner',
      now() + make_interval(secs => (task ->> 'lease')::integer))
    on conflict (id) do nothing;
  return answer;
end
$$;
