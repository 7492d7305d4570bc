-- Several limits on one key, all held in the batch function: points in its lifetime, points in a day, a week or a month of a time zone,
-- requests at once, and tokens a minute. While another transaction uses the table, new ones would wait behind this one, so it gives up
-- soon and is tried again at the next start.
set local lock_timeout = '5s';

-- budget, spent and held are micropoints; of `running` requests, of `tokens` tokens. Rows with a window count in it only.
alter table api_key_budget
  add column kind      text not null default 'lifetime',
  add column zone      text,
  add column starts_at timestamptz,
  add column ends_at   timestamptz,
  drop constraint api_key_budget_pkey,
  add primary key (api_key_id, kind),
  add constraint api_key_budget_kind check (kind in ('lifetime', 'day', 'week', 'month', 'running', 'tokens')),
  add constraint api_key_budget_zone check ((zone is not null) = (kind in ('day', 'week', 'month'))),
  add constraint api_key_budget_window check (case when kind in ('lifetime', 'running') then starts_at is null and ends_at is null
                                                   else starts_at is not null and ends_at is not null and starts_at < ends_at end);

-- A limit may be set below what was spent; nothing may be added beyond it. A new window begins where an earlier one is over, not before.
-- Tokens are counted once they were used, so the last answer of a minute may pass its limit.
drop trigger api_key_budget_bound on api_key_budget;
create trigger api_key_budget_bound before update on api_key_budget for each row
  when (new.account_id <> old.account_id or new.kind <> old.kind
        or new.starts_at is distinct from old.starts_at and (new.starts_at is null or new.starts_at < old.ends_at)
        or new.starts_at is not distinct from old.starts_at and new.spent < old.spent
        or new.kind <> 'tokens' and new.spent + new.held > new.budget
           and (new.starts_at is distinct from old.starts_at or new.spent + new.held > old.spent + old.held))
  execute function ledger_refuse();

-- The window of a moment, from its beginning to the next one's. Days, weeks (from Monday) and months begin at midnight in their zone: at
-- the later of two midnights where clocks go back over it, and right after the gap where they skip it.
create function ledger_key_window(window_kind text, window_zone text, moment timestamptz, out starts_at timestamptz, out ends_at timestamptz)
language plpgsql stable as $$
declare
  step interval;
  beginning timestamp;
begin
  if window_kind = 'tokens' then
    starts_at := date_trunc('minute', moment, 'UTC');
    ends_at := starts_at + interval '1 minute';
    return;
  end if;
  step := ('1 ' || window_kind)::interval;
  beginning := date_trunc(window_kind, moment at time zone window_zone);
  if beginning at time zone window_zone > moment then
    beginning := beginning - step;
  elsif (beginning + step) at time zone window_zone <= moment then
    beginning := beginning + step;
  end if;
  starts_at := beginning at time zone window_zone;
  ends_at := (beginning + step) at time zone window_zone;
end $$;

-- Sets a limit of a key, or lifts it with null. False: the account has no such key. What the key spent and holds so far counts in its
-- lifetime and in its running requests. A window counts what is opened from now on; a new amount or zone keeps what was counted.
create function ledger_set_key_limit(key text, account text, limit_kind text, new_limit bigint, limit_zone text) returns boolean
language plpgsql as $$
declare
  moment timestamptz;
  w record;
begin
  perform from wallet where account_id = account for update;
  if not exists (select from api_key where id = key and account_id = account) then return false; end if;
  if new_limit is null then
    delete from api_key_budget where api_key_id = key and kind = limit_kind;
    return true;
  end if;
  if limit_kind = 'lifetime' then
    insert into api_key_budget as b (api_key_id, account_id, kind, budget, spent, held) values (key, account, limit_kind, new_limit,
        (select coalesce(sum(amount), 0) from usage_day where account_id = account and api_key_id = key),
        (select coalesce(sum(hold_amount), 0) from open_operation where account_id = account and api_key_id = key))
      on conflict (api_key_id, kind) do update set budget = excluded.budget;
    return true;
  end if;
  if limit_kind = 'running' then
    insert into api_key_budget as b (api_key_id, account_id, kind, budget, spent, held) values (key, account, limit_kind, new_limit, 0,
        (select count(*) from open_operation where account_id = account and api_key_id = key))
      on conflict (api_key_id, kind) do update set budget = excluded.budget;
    return true;
  end if;
  -- After everything that was opened before: an operation belongs to the window exactly if it was opened from its beginning on.
  select greatest(clock_timestamp(), max(o.created_at) + interval '1 microsecond') into moment
    from open_operation q join operation o on o.id = q.operation_id where q.account_id = account and q.api_key_id = key;
  select * into w from ledger_key_window(limit_kind, limit_zone, moment);
  update api_key_budget b set starts_at = greatest(w.starts_at, b.ends_at), ends_at = w.ends_at, spent = 0, held = 0
    where b.api_key_id = key and b.kind = limit_kind and b.ends_at <= moment;
  insert into api_key_budget as b (api_key_id, account_id, kind, budget, zone, starts_at, ends_at)
    values (key, account, limit_kind, new_limit, limit_zone, moment, w.ends_at)
    on conflict (api_key_id, kind) do update set budget = excluded.budget, zone = excluded.zone, ends_at = excluded.ends_at;
  return true;
end $$;

-- The functions that were there before keep the rights and the path they run with.
do $migration$
declare
  definition text;
  part text[];
  parts text[][] := array[
    ['  has_unanswered boolean;
', '  has_unanswered boolean;
  moment timestamptz;
'],
    ['order by w.account_id for update) locked;
', 'order by w.account_id for update) locked;
  moment := clock_timestamp();
'],
    ['      update api_key_budget b set held = b.held - t.held, spent = b.spent + t.charged
        from (select api_key_id, sum(hold_amount)::bigint as held, sum(charged)::bigint as charged
                from e where hold_amount is not null and api_key_id is not null group by api_key_id) t
        where b.api_key_id = t.api_key_id
', '      -- Each limit gets back what it held, and counts what was used. A day, a week or a month does so for what was opened in it: its hold
      -- was admitted there. Tokens count in the minute in which they are known.
      update api_key_budget b set held = b.held - t.held, spent = case when b.kind = ''tokens'' and b.ends_at <= moment then 0 else b.spent end + t.used,
          starts_at = case when b.kind = ''tokens'' and b.ends_at <= moment then date_trunc(''minute'', moment, ''UTC'') else b.starts_at end,
          ends_at = case when b.kind = ''tokens'' and b.ends_at <= moment then date_trunc(''minute'', moment, ''UTC'') + interval ''1 minute'' else b.ends_at end
        from (select l.api_key_id, l.kind,
                     (case l.kind when ''running'' then count(*) when ''tokens'' then 0 else sum(e.hold_amount) end)::bigint as held,
                     (case l.kind when ''running'' then 0 when ''tokens'' then coalesce(sum(e.input + e.output) filter (where e.settled), 0)
                                  else sum(e.charged) end)::bigint as used
                from e join api_key_budget l on l.api_key_id = e.api_key_id
               where e.hold_amount is not null
                 and (l.zone is null or (select o.created_at from operation o where o.id = e.id) >= l.starts_at)
               group by l.api_key_id, l.kind) t
        where b.api_key_id = t.api_key_id and b.kind = t.kind
'],
    ['b.api_key_id is not null as has_budget', 'exists (select from api_key_budget b where b.api_key_id = x.key) as has_budget'],
    ['      left join operation o on o.id = x.id
      left join api_key_budget b on b.api_key_id = x.key
', '      left join operation o on o.id = x.id
']];
begin
  definition := pg_get_functiondef('ledger_apply(text,text[],json,json)'::regprocedure);
  foreach part slice 1 in array parts loop
    if position(part[1] in definition) = 0 then raise exception 'ledger_apply is not as the migrations made it: %', part[1]; end if;
    definition := replace(definition, part[1], part[2]);
  end loop;
  execute definition;

  definition := pg_get_functiondef('ledger_set_key_budget(text,text,bigint)'::regprocedure);
  execute left(definition, position('AS $function$' in definition) - 1) || $head$AS $function$
begin
  return ledger_set_key_limit(key, account, 'lifetime', new_budget, null);
end $function$ $head$;

  definition := pg_get_functiondef('ledger_apply_one_by_one(text,json,text)'::regprocedure);
  if position('request_sha256, dialect, node_id' in definition) = 0 then raise exception 'ledger_apply_one_by_one is not as the migrations made it'; end if;
  execute left(definition, position('AS $function$' in definition) - 1) || $body$AS $function$
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
  stopped integer;
  grant_now bigint;
  granted_item integer[] := '{}';
  granted_amount bigint[] := '{}';
  told text;
  r record;
begin
  -- A window that is over begins anew. What was opened in it will end without touching the new one.
  update api_key_budget b set (starts_at, ends_at, spent, held) =
      (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0 from ledger_key_window(b.kind, b.zone, moment) w)
    from (select distinct x.key, x.account from json_to_recordset(holds) as x(key text, account text)) k
    where b.api_key_id = k.key and b.account_id = k.account and b.ends_at <= moment;
  -- The limits of each key stand together, those that last longest first.
  select array_agg(l.api_key_id order by l.api_key_id, l.place), array_agg(l.kind order by l.api_key_id, l.place),
         array_agg(l.budget order by l.api_key_id, l.place), array_agg(l.budget - l.spent - l.held order by l.api_key_id, l.place),
         array_agg(ceil(extract(epoch from l.ends_at))::bigint order by l.api_key_id, l.place)
    into limit_key, limit_kind, limit_max, limit_left, limit_end
    from (select b.*, array_position(array['lifetime', 'month', 'week', 'day', 'running', 'tokens'], b.kind) as place from api_key_budget b
           where b.api_key_id in (select x.key from json_to_recordset(holds) as x(key text))) l;
  for r in
    select x.i, x.account, x.key, x.amount, x.least, a.status, w.credits_posted - w.debits_posted - w.debits_pending as available,
           w.debits_pending as pending, coalesce(k.lowest, 1) as lowest, coalesce(k.highest, 0) as highest, coalesce(k.tells, false) as tells
      from json_to_recordset(holds) as x(i integer, account text, key text, amount bigint, least bigint)
      join wallet w on w.account_id = x.account
      join account a on a.id = x.account
      left join (select u.key, min(u.n)::integer as lowest, max(u.n)::integer as highest, bool_or(limit_kind[u.n::integer] <> 'lifetime') as tells
                   from unnest(limit_key) with ordinality as u(key, n) group by u.key) k on k.key = x.key
      where answer[x.i + 1] = '?' order by x.account, x.i
  loop
    if r.account is distinct from this then
      this := r.account; left_of_account := r.available; held_of_account := r.pending;
    end if;
    grant_now := least(r.amount, left_of_account);
    stopped := null;
    for n in r.lowest..r.highest loop
      if limit_kind[n] in ('running', 'tokens') then
        if limit_left[n] < 1 then stopped := n; exit; end if;
      elsif limit_left[n] < r.least then stopped := n; exit;
      else grant_now := least(grant_now, limit_left[n]);
      end if;
    end loop;
    if r.status <> 'active' then
      answer[r.i + 1] := 'x';
    elsif stopped is not null then
      answer[r.i + 1] := case limit_kind[stopped]
        when 'running' then 'c' || limit_max[stopped]
        when 'tokens' then 't' || limit_max[stopped] || ':' || limit_end[stopped]
        when 'lifetime' then 'b' || greatest(limit_left[stopped], 0)
        else 'b' || greatest(limit_left[stopped], 0) || ':' || limit_kind[stopped] || ':' || limit_end[stopped] end;
    elsif left_of_account < r.least then
      answer[r.i + 1] := 'i' || left_of_account || ':' || held_of_account;
    else
      told := '';
      for n in r.lowest..r.highest loop
        limit_left[n] := limit_left[n] - case limit_kind[n] when 'running' then 1 when 'tokens' then 0 else grant_now end;
        told := told || ':' || limit_kind[n] || '=' || limit_left[n];
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
             greatest(moment, (select max(b.starts_at) from api_key_budget b where b.api_key_id = x.key and b.zone is not null)) as opened_at
        from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text, request text, family text, model text, price bigint,
               ppm integer, quote bigint, sha text, dialect text, seconds integer)
        join unnest(granted_item, granted_amount) as t(i, granted) on t.i = x.i
    ), opened as (
      insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                             request_sha256, dialect, node_id, created_at, deadline)
        select id, account, key, source, request, family, model, price, ppm, quote, granted,
               decode(sha, 'hex'), dialect, node_name, opened_at, opened_at + make_interval(secs => seconds) from g
    ), budgeted as (
      update api_key_budget b set held = b.held + case b.kind when 'running' then t.holds else t.held end
        from (select key, sum(granted)::bigint as held, count(*) as holds from g where key is not null group by key) t
        where b.api_key_id = t.key and b.kind <> 'tokens'
    )
    update wallet w set debits_pending = w.debits_pending + t.held, open_holds = w.open_holds + t.holds, version = w.version + 1
      from (select account, sum(granted)::bigint as held, count(*)::integer as holds from g group by account) t where w.account_id = t.account;
  end if;
  return array_to_string(answer, ',');
end $function$ $body$;
end $migration$;
