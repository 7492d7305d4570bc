-- Points: wallets, operations with their holds and settlements, the journal of credits, and the batch function.
-- Only ledger_apply, ledger_credit, ledger_set_key_budget and the sweep write here. All amounts are micropoints.

-- The only hot, mutable money row.
create table wallet (
  account_id     text primary key references account,
  credits_posted bigint not null default 0,
  debits_posted  bigint not null default 0,
  debits_pending bigint not null default 0,
  open_holds     integer not null default 0,
  version        bigint not null default 0,
  constraint wallet_counters_not_negative check (credits_posted >= 0 and debits_posted >= 0 and debits_pending >= 0 and open_holds >= 0),
  constraint wallet_available_not_negative check (debits_posted + debits_pending <= credits_posted)
) with (fillfactor = 50);

-- One billable request is one hold.
create table operation (
  id               uuid primary key,
  account_id       text not null,
  api_key_id       text,
  source           text not null,
  request_id       text not null,
  family           text not null,
  model            text not null,
  price_version_id bigint not null,
  multiplier_ppm   integer not null,
  quote_amount     bigint not null,
  hold_amount      bigint not null,
  request_sha256   bytea not null,
  idempotency_key  text,
  node_id          text,
  created_at       timestamptz not null default now(),
  deadline         timestamptz not null,
  constraint operation_source check (source in ('api', 'playground')),
  constraint operation_family check (family in ('text', 'image', 'video')),
  constraint operation_texts_bounded check (length(request_id) between 1 and 100 and length(model) between 1 and 80),
  constraint operation_multiplier check (multiplier_ppm between 1 and 100000000),
  constraint operation_quote_amount check (quote_amount between 0 and 1000000000000000),
  constraint operation_hold_amount check (hold_amount between 0 and 1000000000000000),
  constraint operation_request_sha256 check (octet_length(request_sha256) = 32),
  constraint operation_idempotency_key check (length(idempotency_key) between 1 and 255),
  constraint operation_deadline check (deadline > created_at)
);
create unique index operation_idempotency on operation (account_id, idempotency_key) where idempotency_key is not null;
create index operation_account on operation (account_id, created_at, id);

-- The work queue: a row is here exactly while its operation has no settlement. Triggers alone fill and empty it.
-- node_id is the process that owes the end; null is kept for work that no process owns.
create table open_operation (
  operation_id uuid primary key,
  account_id   text not null,
  api_key_id   text,
  model        text not null,
  hold_amount  bigint not null,
  node_id      text,
  deadline     timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- The end of an operation, and the charge: amount is what the journal takes from the wallet.
create table settlement (
  operation_id  uuid primary key,
  account_id    text not null,
  hold_amount   bigint not null,
  outcome       text not null,
  amount        bigint not null,
  input_tokens  bigint,
  output_tokens bigint,
  usage         jsonb,
  reason        text,
  channel_id    text,
  upstream_ref  text,
  is_stream     boolean,
  is_abandoned  boolean,
  duration_ms   integer,
  first_byte_ms integer,
  created_at    timestamptz not null default now(),
  constraint settlement_outcome check (outcome in ('settled', 'released')),
  constraint settlement_within_hold check (amount between 0 and hold_amount),
  constraint settlement_released_is_free check (outcome = 'settled' or amount = 0),
  constraint settlement_settled_has_usage check (outcome = 'released' or (usage is not null and coalesce(input_tokens, -1) >= 0 and coalesce(output_tokens, -1) >= 0)),
  constraint settlement_released_has_reason check (outcome = 'settled' or reason is not null),
  constraint settlement_bounded check (pg_column_size(usage) <= 8192 and length(reason) <= 200 and length(upstream_ref) <= 128)
);

-- Everything but charges that changes a balance.
create table ledger_entry (
  id         bigint generated always as identity primary key,
  account_id text not null references wallet,
  kind       text not null,
  ref        text not null,
  amount     bigint not null,
  reason     text not null,
  actor      text not null,
  created_at timestamptz not null default now(),
  constraint ledger_entry_kind check (kind in ('topup', 'voucher', 'grant', 'refund', 'clawback', 'adjust_up', 'adjust_down')),
  constraint ledger_entry_amount check (amount between 1 and 1000000000000000),
  constraint ledger_entry_reason check (length(reason) between 1 and 500),
  constraint ledger_entry_actor check (length(actor) between 1 and 100),
  constraint ledger_entry_ref check (length(ref) between 1 and 200),
  constraint ledger_entry_once unique (kind, ref)
);
create index ledger_entry_account on ledger_entry (account_id, id);

-- The whole journal: every line moves its amount out of one account into another.
create view ledger_journal as
select 'charge' as kind, operation_id::text as ref, account_id, amount, 'wallet:' || account_id as debit_account, 'system:revenue' as credit_account, created_at
  from settlement where amount > 0
union all
select kind, ref, account_id, amount,
       case when kind in ('clawback', 'adjust_down') then 'wallet:' || account_id else 'system:' || kind end,
       case when kind in ('clawback', 'adjust_down') then 'system:' || kind else 'wallet:' || account_id end, created_at
  from ledger_entry;

-- What could not or may not be charged.
create table operator_loss (
  id           bigint generated always as identity primary key,
  operation_id uuid references operation,
  cause        text not null,
  estimate     bigint not null,
  detail       jsonb,
  created_at   timestamptz not null default now(),
  constraint operator_loss_cause check (cause in ('usage_missing', 'usage_over_hold', 'crash_unknown', 'late_success', 'orphan_upstream', 'clawback_short')),
  constraint operator_loss_estimate check (estimate >= 0)
);
create index operator_loss_operation on operator_loss (operation_id);

-- A process that may hold points. store_id names the folder its spool lies in. No row: it ended and left no spool.
create table node (
  id          text primary key,
  store_id    text not null,
  started_at  timestamptz not null default now(),
  lease_until timestamptz not null
);

-- A node that an operator gave up.
create table node_release (
  id         bigint generated always as identity primary key,
  node_id    text not null,
  store_id   text not null,
  actor      text not null,
  operations integer not null,
  created_at timestamptz not null default now(),
  constraint node_release_actor check (length(actor) between 1 and 100)
);

-- Only keys with a budget have a row. It changes only under the lock of its account's wallet.
create table api_key_budget (
  api_key_id text primary key references api_key,
  account_id text not null references wallet,
  budget     bigint not null,
  spent      bigint not null default 0,
  held       bigint not null default 0,
  constraint api_key_budget_amounts check (budget between 0 and 1000000000000000 and spent >= 0 and held >= 0)
) with (fillfactor = 50);

-- Sums of settled requests per UTC day. api_key_id is '' for requests without a key.
create table usage_day (
  account_id    text not null references wallet,
  api_key_id    text not null,
  model         text not null,
  day           date not null,
  requests      bigint not null,
  input_tokens  bigint not null,
  output_tokens bigint not null,
  amount        bigint not null,
  primary key (account_id, day, api_key_id, model),
  constraint usage_day_not_negative check (requests >= 0 and input_tokens >= 0 and output_tokens >= 0 and amount >= 0)
) with (fillfactor = 70);

-- Rules that stand whoever writes. Checks that read other rows run once per statement, not once per row.

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception '%: % refused by %', tg_table_name, lower(tg_op), tg_name using errcode = 'integrity_constraint_violation';
end $$;

do $$
declare t text;
begin
  foreach t in array array['operation', 'settlement', 'ledger_entry', 'operator_loss', 'price_version', 'node_release'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function ledger_refuse()', t || '_append_only', t);
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
  end loop;
  foreach t in array array['wallet', 'open_operation', 'api_key_budget', 'usage_day'] loop
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
  end loop;
end $$;

create trigger wallet_no_delete before delete on wallet for each row execute function ledger_refuse();
create trigger wallet_only_grows before update on wallet for each row
  when (new.account_id <> old.account_id or new.version <> old.version + 1 or new.credits_posted < old.credits_posted or new.debits_posted < old.debits_posted)
  execute function ledger_refuse();
create trigger wallet_starts_empty before insert on wallet for each row
  when (new.credits_posted <> 0 or new.debits_posted <> 0 or new.debits_pending <> 0 or new.open_holds <> 0 or new.version <> 0)
  execute function ledger_refuse();

create trigger open_operation_only_by_trigger before insert or delete on open_operation for each row
  when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger open_operation_fixed before update on open_operation for each row
  when (new.operation_id <> old.operation_id or new.account_id <> old.account_id or new.hold_amount <> old.hold_amount
        or new.model <> old.model or new.api_key_id is distinct from old.api_key_id)
  execute function ledger_refuse();

-- A budget may be set below what was spent; nothing may be added beyond it.
create trigger api_key_budget_bound before update on api_key_budget for each row
  when (new.spent + new.held > new.budget and new.spent + new.held > old.spent + old.held or new.spent < old.spent or new.account_id <> old.account_id)
  execute function ledger_refuse();

create trigger usage_day_only_grows before update on usage_day for each row
  when (new.requests < old.requests or new.input_tokens < old.input_tokens or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function ledger_refuse();
create trigger usage_day_no_delete before delete on usage_day for each row execute function ledger_refuse();

-- An operation names a wallet, a key of that account and a price of its model, and stands in the queue from its first moment.
create function operation_opens() returns trigger language plpgsql as $$
declare named bigint;
begin
  -- Joins by primary key: a subquery per row might be planned as a scan of every key there is.
  select count(*) into named from opened o
    join wallet w on w.account_id = o.account_id
    join price_version p on p.id = o.price_version_id and p.model = o.model
    left join api_key k on k.id = o.api_key_id and k.account_id = o.account_id
    where o.api_key_id is null or k.id is not null;
  if named <> (select count(*) from opened) then
    raise exception 'operation: the wallet, the key or the price is not there' using errcode = 'foreign_key_violation', constraint = 'operation_names_what_exists';
  end if;
  insert into open_operation (operation_id, account_id, api_key_id, model, hold_amount, node_id, deadline)
    select id, account_id, api_key_id, model, hold_amount, node_id, deadline from opened;
  return null;
end $$;
create trigger operation_opens after insert on operation referencing new table as opened for each statement execute function operation_opens();

-- A settlement takes its operation out of the queue: an absent, ended, foreign or other hold cannot be settled.
create function settlement_ends() returns trigger language plpgsql as $$
declare taken bigint;
begin
  delete from open_operation q using ended e
    where q.operation_id = e.operation_id and q.account_id = e.account_id and q.hold_amount = e.hold_amount;
  get diagnostics taken = row_count;
  if taken <> (select count(*) from ended) then
    raise exception 'settlement: no open operation with this account and hold' using errcode = 'foreign_key_violation', constraint = 'settlement_ends_open_operation';
  end if;
  return null;
end $$;
create trigger settlement_ends after insert on settlement referencing new table as ended for each statement execute function settlement_ends();

-- The batch function: `ends` are settled or released, then `holds` are opened; every account of the batch is in `accounts`.
-- Answers one short text per item, joined by commas, ends and holds parted by a semicolon:
--   ends   d<amount> done · s<amount> settled before · r0 released before · a absent
--   holds  h<amount> held · i<available>:<held> insufficient · b<remaining> key budget exhausted · x account not active
--          w no wallet · n this node's lease has run out
-- A refusal is an answer, never an exception, so one item cannot fail its neighbours. Sending a batch again changes nothing.
create function ledger_apply(node_name text, accounts text[], ends json, holds json) returns text language plpgsql as $$
declare
  ends_answer text;
  holds_answer text;
  has_unanswered boolean;
begin
  -- Wallets are locked in one order everywhere; key budgets and usage days change only under these locks.
  perform from (select w.account_id from wallet w where w.account_id = any(accounts) order by w.account_id for update) locked;

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
      update api_key_budget b set held = b.held - t.held, spent = b.spent + t.charged
        from (select api_key_id, sum(hold_amount)::bigint as held, sum(charged)::bigint as charged
                from e where hold_amount is not null and api_key_id is not null group by api_key_id) t
        where b.api_key_id = t.api_key_id
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
                              where s.operation_id = e.id and s.account_id = e.account), 'a') end, ',' order by e.i)
      into ends_answer from e;
  end if;

  if holds is null then return ends_answer || ';'; end if;
  if not exists (select from node n where n.id = node_name and n.lease_until > clock_timestamp()) then
    return coalesce(ends_answer, '') || ';n';
  end if;

  -- Accounts that can pay all their holds of this batch in full are written here, set by set; the others are left unanswered ('?').
  with h as materialized (
    select x.*, o.hold_amount as earlier, b.api_key_id is not null as has_budget
      from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text, request text, family text, model text, price bigint,
             ppm integer, quote bigint, amount bigint, least bigint, sha text, idem text, seconds integer)
      left join operation o on o.id = x.id
      left join api_key_budget b on b.api_key_id = x.key
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
                           request_sha256, idempotency_key, node_id, deadline)
      select h.id, h.account, h.key, h.source, h.request, h.family, h.model, h.price, h.ppm, h.quote, h.amount,
             decode(h.sha, 'hex'), h.idem, node_name, now() + make_interval(secs => h.seconds)
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

-- The holds that `answers` leaves open ('?'), in their order: each gets what is there, if that is enough. Called under the wallets' locks.
create function ledger_apply_one_by_one(node_name text, holds json, answers text) returns text language plpgsql as $$
declare
  answer text[] := string_to_array(answers, ',');
  this text := null;
  left_of_account bigint;
  held_of_account bigint;
  key_names text[] := '{}';
  left_of_key bigint[] := '{}';
  key_at integer;
  grant_now bigint;
  granted_item integer[] := '{}';
  granted_amount bigint[] := '{}';
  r record;
begin
  for r in
    select x.i, x.account, x.key, x.amount, x.least, a.status, w.credits_posted - w.debits_posted - w.debits_pending as available,
           w.debits_pending as pending, b.budget - b.spent - b.held as key_left
      from json_to_recordset(holds) as x(i integer, account text, key text, amount bigint, least bigint)
      join wallet w on w.account_id = x.account
      join account a on a.id = x.account
      left join api_key_budget b on b.api_key_id = x.key
      where answer[x.i + 1] = '?' order by x.account, x.i
  loop
    if r.account is distinct from this then
      this := r.account; left_of_account := r.available; held_of_account := r.pending;
    end if;
    grant_now := least(r.amount, left_of_account);
    key_at := null;
    if r.key_left is not null then
      key_at := array_position(key_names, r.key);
      if key_at is null then
        key_names := key_names || r.key; left_of_key := left_of_key || r.key_left; key_at := cardinality(key_names);
      end if;
    end if;
    if r.status <> 'active' then
      answer[r.i + 1] := 'x';
    elsif key_at is not null and left_of_key[key_at] < r.least then
      answer[r.i + 1] := 'b' || greatest(left_of_key[key_at], 0);
    elsif left_of_account < r.least then
      answer[r.i + 1] := 'i' || left_of_account || ':' || held_of_account;
    else
      if key_at is not null then
        grant_now := least(grant_now, left_of_key[key_at]);
        left_of_key[key_at] := left_of_key[key_at] - grant_now;
      end if;
      left_of_account := left_of_account - grant_now;
      held_of_account := held_of_account + grant_now;
      granted_item := granted_item || r.i;
      granted_amount := granted_amount || grant_now;
      answer[r.i + 1] := 'h' || grant_now;
    end if;
  end loop;

  if cardinality(granted_item) > 0 then
    with g as materialized (
      select x.*, t.granted
        from json_to_recordset(holds) as x(i integer, id uuid, account text, key text, source text, request text, family text, model text, price bigint,
               ppm integer, quote bigint, sha text, idem text, seconds integer)
        join unnest(granted_item, granted_amount) as t(i, granted) on t.i = x.i
    ), opened as (
      insert into operation (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                             request_sha256, idempotency_key, node_id, deadline)
        select id, account, key, source, request, family, model, price, ppm, quote, granted,
               decode(sha, 'hex'), idem, node_name, now() + make_interval(secs => seconds) from g
    ), budgeted as (
      update api_key_budget b set held = b.held + t.held
        from (select key, sum(granted)::bigint as held from g where key is not null group by key) t where b.api_key_id = t.key
    )
    update wallet w set debits_pending = w.debits_pending + t.held, open_holds = w.open_holds + t.holds, version = w.version + 1
      from (select account, sum(granted)::bigint as held, count(*)::integer as holds from g group by account) t where w.account_id = t.account;
  end if;
  return array_to_string(answer, ',');
end $$;

-- Adds (or for clawback and adjust_down takes) points once per kind and ref. Answers d<entry>:<amount> done · s<entry>:<amount> was done before ·
-- i<available> insufficient · w no wallet · o another account had it.
create function ledger_credit(account text, entry_kind text, entry_ref text, entry_amount bigint, entry_reason text, entry_actor text) returns text
language plpgsql as $$
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

-- Sets a key's budget, or lifts it with null; what the key spent and holds so far counts. False: the account has no such key.
create function ledger_set_key_budget(key text, account text, new_budget bigint) returns boolean language plpgsql as $$
begin
  perform from wallet where account_id = account for update;
  if not exists (select from api_key where id = key and account_id = account) then return false; end if;
  if new_budget is null then
    delete from api_key_budget where api_key_id = key;
  else
    insert into api_key_budget as b (api_key_id, account_id, budget, spent, held) values (key, account, new_budget,
        (select coalesce(sum(amount), 0) from usage_day where account_id = account and api_key_id = key),
        (select coalesce(sum(hold_amount), 0) from open_operation where account_id = account and api_key_id = key))
      on conflict (api_key_id) do update set budget = excluded.budget;
  end if;
  return true;
end $$;
