-- The batch function: `ends` are settled or released, then `holds` are opened; every account of the
-- batch is in `accounts`. Answers one short text per item, joined by commas, ends and holds parted
-- by a semicolon:
--   ends   d<amount> done · s<amount> settled before · r0 released before · a absent
--   holds  h<amount> held · i<available>:<held> insufficient · b<remaining> key budget exhausted
--          x account not active · w no wallet · n this node's lease has run out
-- A refusal is an answer, never an exception, so one item cannot fail its neighbours. Sending a
-- batch again changes nothing.
create or replace function ledger_apply(node_name text, accounts text[], ends json, holds json)
returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
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
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1]
    into end_first, end_last from json_to_recordset(ends) as x(id uuid);
  select (array_agg(x.id order by x.id))[1], (array_agg(x.id order by x.id desc))[1]
    into hold_first, hold_last from json_to_recordset(holds) as x(id uuid);
  -- Wallets are locked in one order everywhere; key budgets and usage days change only under these
  -- locks.
  perform from (select w.account_id from wallet w where w.account_id = any(accounts)
    order by w.account_id for update) locked;
  moment := clock_timestamp();
  has_members := exists (select from member_budget b where b.account_id = any(accounts));

  if ends is not null then
    with e as materialized (
      select x.*, q.hold_amount, q.api_key_id, q.model, least(x.amount, q.hold_amount) as charged
        from json_to_recordset(ends) as x(i integer, id uuid, account text, settled boolean,
          amount bigint, input bigint, output bigint, usage jsonb, reason text, channel text,
          upstream text, stream boolean, abandoned boolean, duration integer, first integer,
          cause text, estimate bigint, detail jsonb)
        left join open_operation q on q.operation_id = x.id and q.account_id = x.account
    ), ended as (
      insert into settlement (operation_id, account_id, hold_amount, outcome, amount, input_tokens,
        output_tokens, usage, reason, channel_id, upstream_ref, is_stream, is_abandoned,
        duration_ms, first_byte_ms)
        select id, account, hold_amount, case when settled then 'settled' else 'released' end,
          charged, input, output, usage, reason, channel, upstream, stream, abandoned, duration,
          first
          from e where hold_amount is not null
    ), changed as (
      update wallet w
        set debits_pending = w.debits_pending - t.held, debits_posted = w.debits_posted + t.charged,
        open_holds = w.open_holds - t.holds, version = w.version + 1
        from (select account, sum(hold_amount)::bigint as held, sum(charged)::bigint as charged,
          count(*)::integer as holds
          from e where hold_amount is not null group by account) t
        where w.account_id = t.account
    ), spent as (
      -- Each limit gets back what it held, and counts what was used. A day, a week or a month does
      -- so for what was opened in it: its hold was admitted there. Tokens count in the minute in
      -- which they are known.
      update api_key_budget b
        set held = b.held - t.held,
        spent = case when b.kind = 'tokens' and b.ends_at <= moment then 0 else b.spent end
        + t.used, starts_at =
        case when b.kind = 'tokens'
        and b.ends_at <= moment then date_trunc('minute', moment, 'UTC') else b.starts_at end,
        ends_at = case when b.kind = 'tokens'
        and b.ends_at <= moment then date_trunc('minute', moment, 'UTC')
        + interval '1 minute' else b.ends_at end
        from (select l.api_key_id, l.kind,
          (case l.kind when 'running' then count(*) when 'tokens' then 0
            else sum(e.hold_amount) end)::bigint as held,
          (case l.kind when 'running' then 0
            when 'tokens' then coalesce(sum(e.input + e.output) filter (where e.settled), 0)
            else sum(e.charged) end)::bigint as used
          from e join api_key_budget l on l.api_key_id = e.api_key_id
          where e.hold_amount is not null
            and (l.zone is null
              or (select o.created_at from operation o
              where o.id = e.id and o.id between end_first and end_last) >= l.starts_at)
          group by l.api_key_id, l.kind) t
        where b.api_key_id = t.api_key_id and b.kind = t.kind
    ), used as (
      insert into usage_day as u (account_id, api_key_id, model, day, requests, input_tokens,
        output_tokens, amount)
        select account, coalesce(api_key_id, ''), model, (now() at time zone 'UTC')::date, count(*),
          sum(input), sum(output), sum(charged)
          from e where hold_amount is not null and settled group by 1, 2, 3, 4
        on conflict (account_id, day, api_key_id, model) do update set
          requests = u.requests + excluded.requests,
          input_tokens = u.input_tokens + excluded.input_tokens,
          output_tokens = u.output_tokens + excluded.output_tokens,
          amount = u.amount + excluded.amount
    ), lost as (
      insert into operator_loss (operation_id, cause, estimate, detail)
        select id, cause, estimate, detail from e
          where hold_amount is not null and cause is not null
        union all
        select id, 'usage_over_hold', amount - charged, null from e
          where hold_amount is not null and amount > charged
    )
    select string_agg(case when e.hold_amount is not null then 'd' || e.charged
      else coalesce((select case s.outcome when 'settled' then 's' else 'r' end || s.amount
        from settlement s
        where s.operation_id = e.id and s.operation_id between end_first and end_last
          and s.account_id = e.account), 'a') end, ',' order by e.i),
          array_agg(e.id) filter (where has_members and e.hold_amount is not null)
      into ends_answer, ended from e;
    if ended is not null then perform ledger_member_end(ended); end if;
  end if;

  if holds is null then return ends_answer || ';'; end if;
  if not exists (select from node n
    where n.id = node_name and n.lease_until > clock_timestamp()) then
    return coalesce(ends_answer, '') || ';n';
  end if;

  -- Accounts that can pay all their holds of this batch in full are written here, set by set; the
  -- others are left unanswered ('?').
  with h as materialized (
    select x.*, o.hold_amount as earlier,
      exists (select from api_key_budget b where b.api_key_id = x.key)
      or has_members
        and exists (select from member_budget b
        where b.account_id = x.account and b.user_id = ledger_member(x.id, x.key)) as has_budget
      from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text,
        request text, family text, model text, price bigint, ppm integer, quote bigint,
        amount bigint, least bigint, sha text, dialect text, version bigint, seconds integer)
      left join lateral (select p.hold_amount from operation p
        where p.id = x.id and p.id between hold_first and hold_last offset 0) o on true
  ), payer as materialized (
    select t.account, t.held, t.holds,
      a.status = 'active' and not t.has_budget
        and w.credits_posted - w.debits_posted - w.debits_pending >= t.held as pays_all
      from (select account, coalesce(sum(amount) filter (where earlier is null), 0)::bigint as held,
        count(*) filter (where earlier is null)::integer as holds, bool_or(has_budget) as has_budget
        from h group by account) t
      join wallet w on w.account_id = t.account
      join account a on a.id = t.account
  ), opened as (
    insert into operation (id, account_id, api_key_id, source, request_id, family, model,
      price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, dialect,
      model_version_id, node_id, deadline)
      select h.id, h.account, h.key, h.source, h.request, h.family, h.model, h.price, h.ppm,
        h.quote, h.amount, decode(h.sha, 'hex'), h.dialect, h.version, node_name,
        now() + make_interval(secs => h.seconds)
        from h join payer p on p.account = h.account and p.pays_all where h.earlier is null
  ), changed as (
    update wallet w
      set debits_pending = w.debits_pending + p.held, open_holds = w.open_holds + p.holds,
      version = w.version + 1
      from payer p where p.account = w.account_id and p.pays_all and p.holds > 0
  )
  select string_agg(case when h.earlier is not null then 'h' || h.earlier
    when p.account is null then 'w' when p.pays_all then 'h' || h.amount else '?' end, ','
    order by h.i), bool_or(h.earlier is null and not p.pays_all)
    into holds_answer, has_unanswered
    from h left join payer p on p.account = h.account;

  if has_unanswered then
    holds_answer := ledger_apply_one_by_one(node_name, holds, holds_answer);
  end if;
  return coalesce(ends_answer, '') || ';' || holds_answer;
end
$$;
