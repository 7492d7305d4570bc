-- Opens a hold and its task in one commit; sent again, it changes nothing. The hold is of no node:
-- a worker of any process ends the task. An image has its row for its owner from here on. Answers
-- as ledger_hold. Raises, and holds nothing, where another request has the task's id.
create or replace function ledger_open_task(
  node_name text, p_id uuid, account text, key text, source text, request_name text, family text,
  dialect text, p_model text, price bigint, version bigint, ppm integer, quote bigint,
  amount bigint, minimum bigint, sha bytea, seconds integer, task jsonb,
  tags jsonb default null
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  answer text;
begin
  answer := ledger_hold(node_name, array[account], array[p_id], array[1], array[key],
    array[source], array[request_name], array[family], array[dialect], array[p_model],
    array[price], array[version], array[ppm], array[quote], array[amount], array[minimum],
    array[sha], array[seconds], array[tags], of_task => true);
  if answer not like 'h%' then return answer; end if;
  insert into video_task (id, family, operation_id, account_id, api_key_id, model, model_named,
      spec, image_urls, callback_url, lease_owner, lease_until)
    values (task ->> 'id', family, p_id, account, key, p_model, task ->> 'named', task -> 'spec',
      task -> 'images', task ->> 'callback', task ->> 'owner',
      now() + make_interval(secs => (task ->> 'lease')::integer))
    on conflict (operation_id) do nothing;
  if family = 'image' then
    insert into image_result (id, operation_id, account_id, model, spec, created_at)
      values (task ->> 'id', p_id, account, p_model, task -> 'spec', now())
      on conflict (operation_id) do nothing;
  end if;
  return answer;
end
$$;
