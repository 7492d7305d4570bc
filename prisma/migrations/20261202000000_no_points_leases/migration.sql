-- Points leases go. What was leased is available again: it is neither posted nor pending, and from here on nothing else takes it off. What
-- a process of the release before has spooled of requests that only its memory knew is charged when that spool is replayed. While another
-- transaction uses the tables, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

-- First, so that every batch that runs has ended.
lock table wallet in access exclusive mode;

drop trigger points_lease_end on node;
drop trigger points_lease_stop on account;
drop table points_lease;
drop function points_lease_end();
drop function points_lease_stop();
drop function ledger_recall(text);
drop function ledger_apply_leased(text, text[], json, json, json, json, json);
drop function ledger_apply_whole(text, text[], json);
drop function ledger_apply_written(json);
drop function ledger_lease_acts(text, json);

alter table wallet drop column leased, drop column leases_from;
-- Neither seals nor the readers of archives know it.
alter table operation drop column is_whole;

-- The functions that counted what is leased, and those that knew requests that were written together with their ends.

create or replace function ledger_apply(node_name text, accounts text[], ends json, holds json) returns text language plpgsql
security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  hold_first uuid;
  hold_last uuid;
  end_first uuid;
  end_last uuid;
  ends_answer text;
  holds_answer text;
  has_unanswered boolean;
  moment timestamptz;
  has_members boolean;
  ended uuid[];
begin
  perform set_config('plan_cache_mode', 'force_generic_plan', true);
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1] into end_first, end_last from json_to_recordset(ends) as x(id uuid);
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1] into hold_first, hold_last from json_to_recordset(holds) as x(id uuid);
  -- Wallets are locked in one order everywhere; key budgets and usage days change only under these locks.
  perform from (select w.account_id from wallet w where w.account_id = any(accounts) order by w.account_id for update) locked;
  moment := clock_timestamp();
  has_members := exists (select from member_budget b where b.account_id = any(accounts));

  if ends is not null then
    with e as materialized (
      select x.*, q.hold_amount, q.api_key_id, q.model, least(x.amount, q.hold_amount) as charged
        from json_to_recordset(ends) as x(i integer, id uuid, account text, settled boolean, amount bigint, input bigint, output bigint, usage jsonb,
               reason text, channel text, upstream text, stream boolean, abandoned boolean, duration integer, first integer,
               cause text, estimate bigint, detail jsonb)
        left join open_operation q on q.operation_id = x.id and q.account_id = x.account
    ), ended as (
      insert into settlement (operation_id, account_id, hold_amount, outcome, amount, input_tokens, output_tokens, usage, reason, channel_id,
                              upstream_ref, is_stream, is_abandoned, duration_ms, first_byte_ms)
        select id, account, hold_amount, case when settled then 'settled' else 'released' end, charged, input, output, usage, reason, channel,
               upstream, stream, abandoned, duration, first
          from e where hold_amount is not null
    ), changed as (
      update wallet w set debits_pending = w.debits_pending - t.held, debits_posted = w.debits_posted + t.charged,
                          open_holds = w.open_holds - t.holds, version = w.version + 1
        from (select account, sum(hold_amount)::bigint as held, sum(charged)::bigint as charged, count(*)::integer as holds
                from e where hold_amount is not null group by account) t
        where w.account_id = t.account
    ), spent as (
      -- Each limit gets back what it held, and counts what was used. A day, a week or a month does so for what was opened in it: its hold
      -- was admitted there. Tokens count in the minute in which they are known.
      update api_key_budget b set held = b.held - t.held, spent = case when b.kind = 'tokens' and b.ends_at <= moment then 0 else b.spent end + t.used,
          starts_at = case when b.kind = 'tokens' and b.ends_at <= moment then date_trunc('minute', moment, 'UTC') else b.starts_at end,
          ends_at = case when b.kind = 'tokens' and b.ends_at <= moment then date_trunc('minute', moment, 'UTC') + interval '1 minute' else b.ends_at end
        from (select l.api_key_id, l.kind,
                     (case l.kind when 'running' then count(*) when 'tokens' then 0 else sum(e.hold_amount) end)::bigint as held,
                     (case l.kind when 'running' then 0 when 'tokens' then coalesce(sum(e.input + e.output) filter (where e.settled), 0)
                                  else sum(e.charged) end)::bigint as used
                from e join api_key_budget l on l.api_key_id = e.api_key_id
               where e.hold_amount is not null
                 and (l.zone is null or (select o.created_at from operation o where o.id = e.id and o.id between end_first and end_last) >= l.starts_at)
               group by l.api_key_id, l.kind) t
        where b.api_key_id = t.api_key_id and b.kind = t.kind
    ), used as (
      insert into usage_day as u (account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount)
        select account, coalesce(api_key_id, ''), model, (now() at time zone 'UTC')::date, count(*), sum(input), sum(output), sum(charged)
          from e where hold_amount is not null and settled group by 1, 2, 3, 4
        on conflict (account_id, day, api_key_id, model) do update set
          requests = u.requests + excluded.requests, input_tokens = u.input_tokens + excluded.input_tokens,
          output_tokens = u.output_tokens + excluded.output_tokens, amount = u.amount + excluded.amount
    ), lost as (
      insert into operator_loss (operation_id, cause, estimate, detail)
        select id, cause, estimate, detail from e where hold_amount is not null and cause is not null
        union all
        select id, 'usage_over_hold', amount - charged, null from e where hold_amount is not null and amount > charged
    )
    select string_agg(case when e.hold_amount is not null then 'd' || e.charged
             else coalesce((select case s.outcome when 'settled' then 's' else 'r' end || s.amount from settlement s
                              where s.operation_id = e.id and s.operation_id between end_first and end_last and s.account_id = e.account), 'a') end, ',' order by e.i), array_agg(e.id) filter (where has_members and e.hold_amount is not null)
      into ends_answer, ended from e;
    if ended is not null then perform ledger_member_end(ended); end if;
  end if;

  if holds is null then return ends_answer || ';'; end if;
  if not exists (select from node n where n.id = node_name and n.lease_until > clock_timestamp()) then
    return coalesce(ends_answer, '') || ';n';
  end if;

  -- Accounts that can pay all their holds of this batch in full are written here, set by set; the others are left unanswered ('?').
  with h as materialized (
    select x.*, o.hold_amount as earlier, exists (select from api_key_budget b where b.api_key_id = x.key)
             or has_members and exists (select from member_budget b where b.account_id = x.account and b.user_id = ledger_member(x.id, x.key)) as has_budget
      from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text, request text, family text, model text, price bigint,
             ppm integer, quote bigint, amount bigint, least bigint, sha text, dialect text, version bigint, seconds integer)
      left join lateral (select p.hold_amount from operation p where p.id = x.id and p.id between hold_first and hold_last offset 0) o on true
  ), payer as materialized (
    select t.account, t.held, t.holds,
           a.status = 'active' and not t.has_budget and w.credits_posted - w.debits_posted - w.debits_pending >= t.held as pays_all
      from (select account, coalesce(sum(amount) filter (where earlier is null), 0)::bigint as held,
                   count(*) filter (where earlier is null)::integer as holds, bool_or(has_budget) as has_budget
              from h group by account) t
      join wallet w on w.account_id = t.account
      join account a on a.id = t.account
  ), opened as (
    insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                           request_sha256, dialect, model_version_id, node_id, deadline)
      select h.id, h.account, h.key, h.source, h.request, h.family, h.model, h.price, h.ppm, h.quote, h.amount,
             decode(h.sha, 'hex'), h.dialect, h.version, node_name, now() + make_interval(secs => h.seconds)
        from h join payer p on p.account = h.account and p.pays_all where h.earlier is null
  ), changed as (
    update wallet w set debits_pending = w.debits_pending + p.held, open_holds = w.open_holds + p.holds, version = w.version + 1
      from payer p where p.account = w.account_id and p.pays_all and p.holds > 0
  )
  select string_agg(case when h.earlier is not null then 'h' || h.earlier when p.account is null then 'w' when p.pays_all then 'h' || h.amount else '?' end,
                    ',' order by h.i), bool_or(h.earlier is null and not p.pays_all)
    into holds_answer, has_unanswered
    from h left join payer p on p.account = h.account;

  if has_unanswered then holds_answer := ledger_apply_one_by_one(node_name, holds, holds_answer); end if;
  return coalesce(ends_answer, '') || ';' || holds_answer;
end $$;

create or replace function ledger_apply_one_by_one(node_name text, holds json, answers text) returns text language plpgsql
as $$
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
  has_members := exists (select from json_to_recordset(holds) as x(account text) join member_budget b on b.account_id = x.account);
  if has_members then
    select limit_key || array_agg(l.member order by l.member, l.place), limit_kind || array_agg(l.kind order by l.member, l.place),
           limit_max || array_agg(l.budget order by l.member, l.place), limit_left || array_agg(l.room order by l.member, l.place),
           limit_end || array_agg(l.ends order by l.member, l.place)
      into limit_key, limit_kind, limit_max, limit_left, limit_end from ledger_member_rooms(holds, moment) l;
  end if;
  for r in
    with limited as materialized (
      select u.key, array_agg(u.n::integer order by u.n) as limits, bool_or(limit_kind[u.n::integer] <> 'lifetime') as tells
        from unnest(limit_key) with ordinality as u(key, n) group by u.key
    )
    select x.i, x.account, x.key, x.amount, x.least, a.status, w.credits_posted - w.debits_posted - w.debits_pending as available,
           w.debits_pending as pending, coalesce(k.limits, '{}') || coalesce(m.limits, '{}') as limits,
           coalesce(k.tells, false) or m.limits is not null as tells
      from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, amount bigint, least bigint)
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
        else 'b' || greatest(limit_left[stopped], 0) || ':' || replace(limit_kind[stopped], 'member_', '') || ':' || limit_end[stopped]
             || case when limit_kind[stopped] like 'member%' then ':member' else '' end end;
    elsif left_of_account < r.least then
      answer[r.i + 1] := 'i' || left_of_account || ':' || held_of_account;
    else
      told := '';
      foreach nth in array r.limits loop
        limit_left[nth] := limit_left[nth] - case limit_kind[nth] when 'running' then 1 when 'tokens' then 0 else grant_now end;
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
             greatest(moment, (select max(b.starts_at) from api_key_budget b where b.api_key_id = x.key and b.zone is not null),
               case when has_members then (select max(b.starts_at) from member_budget b
                 where b.account_id = x.account and b.user_id = ledger_member(x.id, x.key)) end) as opened_at
        from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text, request text, family text, model text, price bigint,
               ppm integer, quote bigint, sha text, dialect text, version bigint, seconds integer)
        join unnest(granted_item, granted_amount) as t(i, granted) on t.i = x.i
    ), opened as (
      insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                             request_sha256, dialect, model_version_id, node_id, created_at, deadline)
        select id, account, key, source, request, family, model, price, ppm, quote, granted,
               decode(sha, 'hex'), dialect, version, node_name, opened_at, opened_at + make_interval(secs => seconds) from g
    ), budgeted as (
      update api_key_budget b set held = b.held + case b.kind when 'running' then t.holds else t.held end
        from (select key, sum(granted)::bigint as held, count(*) as holds from g where key is not null group by key) t
        where b.api_key_id = t.key and b.kind <> 'tokens'
    )
    update wallet w set debits_pending = w.debits_pending + t.held, open_holds = w.open_holds + t.holds, version = w.version + 1
      from (select account, sum(granted)::bigint as held, count(*)::integer as holds from g group by account) t where w.account_id = t.account;
    if has_members then
      perform ledger_member_hold(array(select x.id from json_to_recordset(holds) as x(i integer, id uuid) where x.i = any(granted_item)));
    end if;
  end if;
  return array_to_string(answer, ',');
end $$;

create or replace function ledger_credit(account text, entry_kind text, entry_ref text, entry_amount bigint, entry_reason text, entry_actor text) returns text language plpgsql
security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  available bigint;
  takes boolean := entry_kind in ('clawback', 'adjust_down');
  done text;
  entry bigint;
begin
  select credits_posted - debits_posted - debits_pending into available from wallet where account_id = account for update;
  if not found then return 'w'; end if;
  select case when account_id = account then 's' || id || ':' || amount else 'o' end into done
    from ledger_entry where kind = entry_kind and ref = entry_ref;
  if found then return done; end if;
  if takes and available < entry_amount then return 'i' || available; end if;
  insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
    values (account, entry_kind, entry_ref, entry_amount, entry_reason, entry_actor) returning id into entry;
  update wallet set credits_posted = credits_posted + case when takes then 0 else entry_amount end,
                    debits_posted = debits_posted + case when takes then entry_amount else 0 end, version = version + 1
    where account_id = account;
  return 'd' || entry || ':' || entry_amount;
end $$;

create or replace function ledger_reverse(account text, of_ref text, due bigint, certain bigint, why text) returns text language plpgsql
as $$
declare
  available bigint;
  r ledger_reversal;
  takes bigint := 0;
  loses bigint := 0;
begin
  if due < 0 or certain < 0 or certain > due then
    raise exception 'ledger_reverse: due % and certain % are not right', due, certain using errcode = 'integrity_constraint_violation';
  end if;
  select credits_posted - debits_posted - debits_pending into strict available from wallet where account_id = account for update;
  insert into ledger_reversal (ref, account_id) values (of_ref, account) on conflict do nothing;
  select * into strict r from ledger_reversal where ref = of_ref and account_id = account for update;
  takes := greatest(least(due - r.taken - r.lost, available), -r.taken);
  loses := greatest(certain - r.taken - takes - r.lost, 0);
  if takes > 0 then
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'clawback', of_ref || ':' || r.moves + 1, takes, why, 'system');
    update wallet set debits_posted = debits_posted + takes, version = version + 1 where account_id = account;
  elsif takes < 0 then
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'adjust_up', of_ref || ':' || r.moves + 1, -takes, why, 'system');
    update wallet set credits_posted = credits_posted - takes, version = version + 1 where account_id = account;
  end if;
  if loses > 0 then
    insert into operator_loss (cause, estimate, detail)
      values ('clawback_short', loses, jsonb_build_object('ref', of_ref, 'account', account, 'move', r.moves + 1));
  end if;
  if takes <> 0 or loses <> 0 then
    update ledger_reversal set taken = taken + takes, lost = lost + loses, moves = moves + 1 where ref = of_ref;
  end if;
  return takes || ':' || loses;
end $$;

create or replace function ledger_set_key_limit(key text, account text, limit_kind text, new_limit bigint, limit_zone text) returns boolean language plpgsql
security definer set search_path = pg_catalog, public, pg_temp
as $$
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

create or replace function ledger_set_member_budget(account text, member text, budget_kind text, new_budget bigint, budget_zone text) returns boolean language plpgsql
security definer set search_path = pg_catalog, public, pg_temp
as $$
declare
  moment timestamptz;
  w record;
begin
  perform from wallet where account_id = account for update;
  if not exists (select from account_member where account_id = account and user_id = member) then return false; end if;
  if new_budget is null then
    delete from member_budget where account_id = account and user_id = member and kind = budget_kind;
    return true;
  end if;
  -- After everything that was opened before: an operation belongs to the window exactly if it was opened from its beginning on.
  select greatest(clock_timestamp(), max(o.created_at) + interval '1 microsecond') into moment
    from open_operation q join operation o on o.id = q.operation_id where q.account_id = account;
  select * into w from ledger_key_window(budget_kind, budget_zone, moment);
  update member_budget b set starts_at = greatest(w.starts_at, b.ends_at), ends_at = w.ends_at, spent = 0, held = 0
    where b.account_id = account and b.user_id = member and b.kind = budget_kind and b.ends_at <= moment;
  insert into member_budget as b (account_id, user_id, kind, budget, zone, starts_at, ends_at)
    values (account, member, budget_kind, new_budget, budget_zone, moment, w.ends_at)
    on conflict (account_id, user_id, kind) do update set budget = excluded.budget, zone = excluded.zone, ends_at = excluded.ends_at;
  return true;
end $$;

create or replace function account_erase(erased text) returns integer language plpgsql
security definer set search_path = pg_catalog, public, pg_temp
as $$
declare running integer;
begin
  -- The ledger locks the wallet before it reads the account's status: no hold opens between this count and the end of the transaction.
  perform from wallet where account_id = erased for update;
  select count(*) into running from open_operation where account_id = erased;
  if running > 0 then return running; end if;
  update account set status = 'closed', suspended_at = null, suspended_reason = null, low_balance_notice = null where id = erased;
  delete from verification_token where identifier in (select email from "user" where account_id = erased);
  delete from "user" where account_id = erased;
  update api_key set name = 'erased', revoked_at = coalesce(revoked_at, now()) where account_id = erased;
  delete from stored_response where account_id = erased;
  delete from response_account where account_id = erased;
  delete from idempotent_request where account_id = erased;
  delete from callback_delivery where account_id = erased;
  update video_task set spec = spec - 'prompt' - 'pictures', image_urls = '[]', callback_url = null, hidden_at = coalesce(hidden_at, now()),
         settings_removed_at = coalesce(settings_removed_at, now()) where account_id = erased;
  update image_result set spec = spec - 'prompt' - 'pictures', hidden_at = coalesce(hidden_at, now()),
         settings_removed_at = coalesce(settings_removed_at, now()) where account_id = erased;
  -- The files follow with the next removal of expired ones.
  update media set expires_at = least(expires_at, now()) where account_id = erased and deleted_at is null;
  return 0;
end $$;

create or replace function operation_opens() returns trigger language plpgsql
as $$
declare named bigint;
begin
  -- Joins by primary key: a subquery per row might be planned as a scan of every key there is.
  select count(*) into named from opened o
    join wallet w on w.account_id = o.account_id
    join price_version p on p.id = o.price_version_id and p.model = o.model
    left join api_key k on k.id = o.api_key_id and k.account_id = o.account_id
    left join model_version v on v.id = o.model_version_id and v.model_id = o.model
    where (o.api_key_id is null or k.id is not null) and (o.model_version_id is null or v.id is not null);
  if named <> (select count(*) from opened) then
    raise exception 'operation: the wallet, the key, the price or the model is not there' using errcode = 'foreign_key_violation', constraint = 'operation_names_what_exists';
  end if;
  insert into open_operation (operation_id, account_id, api_key_id, model, hold_amount, node_id, deadline)
    select id, account_id, api_key_id, model, hold_amount, node_id, deadline from opened;
  insert into ledger_apart (operation_id, created_at)
    select o.id, o.created_at from opened o, ledger_seal_head h
     where o.id < h.announced or o.id < ledger_first_id(o.created_at - interval '5 minutes') or o.id >= ledger_first_id(o.created_at + interval '5 minutes')
    on conflict (operation_id) do nothing;
  return null;
end $$;

create or replace function settlement_ends() returns trigger language plpgsql
as $$
declare taken bigint;
begin
  delete from open_operation q using ended e
    where q.operation_id = e.operation_id and q.account_id = e.account_id and q.hold_amount = e.hold_amount;
  get diagnostics taken = row_count;
  if taken <> (select count(*) from ended) then
    raise exception 'settlement: no open operation with this account and hold' using errcode = 'foreign_key_violation', constraint = 'settlement_ends_open_operation';
  end if;
  insert into usage_waiting (operation_id, account_id) select operation_id, account_id from ended;
  return null;
end $$;
