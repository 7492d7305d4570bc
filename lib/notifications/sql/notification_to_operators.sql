-- Each operator is told, once for each key: in the account that he owns, by his mail, and by the
-- webhooks of that account that ask for the kind.
create or replace function notification_to_operators(told_kind text, told_key text, told jsonb)
returns void language sql security definer
  set search_path = pg_catalog, public, pg_temp as $$
  insert into notification (account_id, user_id, kind, dedupe_key, data)
    select distinct on (u.id) m.account_id, u.id, told_kind,
        told_kind || ':' || told_key || ':' || u.id, told
      from "user" u
      join account_member m on m.user_id = u.id and m.role = 'owner'
      join account a on a.id = m.account_id and a.status = 'active'
     where u.is_operator
     order by u.id, m.created_at
    on conflict (dedupe_key) do nothing
$$;
