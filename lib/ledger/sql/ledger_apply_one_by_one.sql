-- The holds that `answers` leaves open ('?'), in their order: each gets what is there, if that is
-- enough. Called under the wallets' locks.
create or replace function ledger_apply_one_by_one(node_name text, holds json, answers text)
returns text
language plpgsql as $$
declare
  answer text[] := string_to_array(answers, ',');
  moment timestamptz := clock_timestamp();
  this text := null;
  left_of_account bigint;
  held_of_account bigint;
  limit_key text[];
  limit_kind text[];
  limit_max bigint[];
  limit_left bigint[];
  limit_end bigint[];
  has_members boolean;
  stopped integer;
  nth integer;
  grant_now bigint;
  granted_item integer[] := '{}';
  granted_amount bigint[] := '{}';
  told text;
  r record;
begin
  -- A window that is over begins anew. What was opened in it will end without touching the new one.
  update api_key_budget b set (starts_at, ends_at, spent, held) =
    (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0
      from ledger_key_window(b.kind, b.zone, moment) w)
    from (select distinct x.key, x.account
      from json_to_recordset(holds) as x(key text, account text)) k
    where b.api_key_id = k.key and b.account_id = k.account and b.ends_at <= moment;
  -- The limits of each key stand together, those that last longest first.
  select array_agg(l.api_key_id order by l.api_key_id, l.place),
    array_agg(l.kind order by l.api_key_id, l.place),
    array_agg(l.budget order by l.api_key_id, l.place),
    array_agg(l.budget - l.spent - l.held order by l.api_key_id, l.place),
    array_agg(ceil(extract(epoch from l.ends_at))::bigint order by l.api_key_id, l.place)
    into limit_key, limit_kind, limit_max, limit_left, limit_end
    from (select b.*,
      array_position(array['lifetime', 'month', 'week', 'day', 'running', 'tokens'],
      b.kind) as place from api_key_budget b
      where b.api_key_id in (select x.key from json_to_recordset(holds) as x(key text))) l;
  has_members := exists (select from json_to_recordset(holds) as x(account text)
    join member_budget b on b.account_id = x.account);
  if has_members then
    select limit_key || array_agg(l.member order by l.member, l.place),
      limit_kind || array_agg(l.kind order by l.member, l.place),
      limit_max || array_agg(l.budget order by l.member, l.place),
      limit_left || array_agg(l.room order by l.member, l.place),
      limit_end || array_agg(l.ends order by l.member, l.place)
      into limit_key, limit_kind, limit_max, limit_left, limit_end
        from ledger_member_rooms(holds, moment) l;
  end if;
  for r in
    with limited as materialized (
      select u.key, array_agg(u.n::integer order by u.n) as limits,
        bool_or(limit_kind[u.n::integer] <> 'lifetime') as tells
        from unnest(limit_key) with ordinality as u(key, n) group by u.key
    )
    select x.i, x.account, x.key, x.amount, x.least, a.status,
      w.credits_posted - w.debits_posted - w.debits_pending as available,
      w.debits_pending as pending, coalesce(k.limits, '{}') || coalesce(m.limits, '{}') as limits,
      coalesce(k.tells, false) or m.limits is not null as tells
      from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, amount bigint,
        least bigint)
      join wallet w on w.account_id = x.account
      join account a on a.id = x.account
      left join limited k on k.key = x.key
      left join limited m on has_members and m.key = x.account || ' ' || ledger_member(x.id, x.key)
      where answer[x.i + 1] = '?' order by x.account, x.i
  loop
    if r.account is distinct from this then
      this := r.account; left_of_account := r.available; held_of_account := r.pending;
    end if;
    grant_now := least(r.amount, left_of_account);
    stopped := null;
    foreach nth in array r.limits loop
      if limit_kind[nth] in ('running', 'tokens') then
        if limit_left[nth] < 1 then stopped := nth; exit; end if;
      elsif limit_left[nth] < r.least then stopped := nth; exit;
      else grant_now := least(grant_now, limit_left[nth]);
      end if;
    end loop;
    if r.status <> 'active' then
      answer[r.i + 1] := 'x';
    elsif stopped is not null then
      answer[r.i + 1] := case limit_kind[stopped]
        when 'running' then 'c' || limit_max[stopped]
        when 'tokens' then 't' || limit_max[stopped] || ':' || limit_end[stopped]
        when 'lifetime' then 'b' || greatest(limit_left[stopped], 0)
        else 'b' || greatest(limit_left[stopped], 0) || ':'
          || replace(limit_kind[stopped], 'member_', '') || ':' || limit_end[stopped] ||
          case when limit_kind[stopped] like 'member%' then ':member' else '' end end;
    elsif left_of_account < r.least then
      answer[r.i + 1] := 'i' || left_of_account || ':' || held_of_account;
    else
      told := '';
      foreach nth in array r.limits loop
        limit_left[nth] := limit_left[nth] -
          case limit_kind[nth] when 'running' then 1 when 'tokens' then 0 else grant_now end;
        told := told || ':' || limit_kind[nth] || '=' || limit_left[nth];
      end loop;
      left_of_account := left_of_account - grant_now;
      held_of_account := held_of_account + grant_now;
      granted_item := granted_item || r.i;
      granted_amount := granted_amount || grant_now;
      answer[r.i + 1] := 'h' || grant_now || case when r.tells then told else '' end;
    end if;
  end loop;

  if cardinality(granted_item) > 0 then
    with g as materialized (
      select x.*, t.granted,
        -- Never before its windows, even if the clock went back.
        greatest(moment,
          (select max(b.starts_at) from api_key_budget b
          where b.api_key_id = x.key and b.zone is not null),
          case when has_members then (select max(b.starts_at) from member_budget b
            where b.account_id = x.account
              and b.user_id = ledger_member(x.id, x.key)) end) as opened_at
        from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text,
          request text, family text, model text, price bigint, ppm integer, quote bigint, sha text,
          dialect text, version bigint, seconds integer)
        join unnest(granted_item, granted_amount) as t(i, granted) on t.i = x.i
    ), opened as (
      insert into operation (id, account_id, api_key_id, source, request_id, family, model,
        price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, dialect,
        model_version_id, node_id, created_at, deadline)
        select id, account, key, source, request, family, model, price, ppm, quote, granted,
          decode(sha, 'hex'), dialect, version, node_name, opened_at,
          opened_at + make_interval(secs => seconds) from g
    ), budgeted as (
      update api_key_budget b
        set held = b.held + case b.kind when 'running' then t.holds else t.held end
        from (select key, sum(granted)::bigint as held, count(*) as holds from g
          where key is not null group by key) t
        where b.api_key_id = t.key and b.kind <> 'tokens'
    )
    update wallet w
      set debits_pending = w.debits_pending + t.held, open_holds = w.open_holds + t.holds,
      version = w.version + 1
      from (select account, sum(granted)::bigint as held, count(*)::integer as holds from g
        group by account) t where w.account_id = t.account;
    if has_members then
      perform ledger_member_hold(array(select x.id
        from json_to_recordset(holds) as x(i integer, id uuid) where x.i = any(granted_item)));
    end if;
  end if;
  return array_to_string(answer, ',');
end
$$;
