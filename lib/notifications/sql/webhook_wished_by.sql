-- Who wished that a webhook leads where it does: a user, a management key or `cli`, as the log of
-- actions has it.
create or replace function webhook_wished_by(webhook text, address text) returns text
language sql stable security definer
set search_path = pg_catalog, public, pg_temp as $$
  select a.actor from operator_action a
    where a.subject = webhook and a.action in ('webhook.create', 'webhook.change')
      and a.detail #>> '{after,url}' = address
      and a.detail #>> '{before,url}' is distinct from address
    order by a.id desc limit 1
$$;
