-- Pauses the webhooks of an account that lead where a person wished, also by a management key: that
-- person is told no more what happens there. Answers their ids.
create or replace function webhook_pause_made(told_of text, maker text) returns setof text
language sql security definer
set search_path = pg_catalog, public, pg_temp as $$
  update webhook_endpoint w set paused_at = now()
    where w.account_id = told_of and w.paused_at is null and webhook_wished_by(w.id, w.url) in (
      select maker union all
      select id from management_key where account_id = told_of and created_by = maker)
    returning w.id
$$;
