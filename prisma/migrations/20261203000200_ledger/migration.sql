-- Points: holds, their ends, and everything else that changes a balance. Only functions of the
-- ledger write these tables. All amounts are micropoints: a point is 1,000,000 of them.

-- A process that may hold points; it is alive until lease_until. store_id names the folder its
-- spool lies in. No row: it ended and left no spool.
create table node (
  id text primary key,
  store_id text not null,
  started_at timestamptz not null default now(),
  lease_until timestamptz not null
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 50, fillfactor = 50);

-- A node that an operator gave up.
create table node_release (
  id bigint generated always as identity primary key,
  node_id text not null,
  store_id text not null,
  actor text not null,
  operations integer not null,
  created_at timestamptz not null default now(),
  constraint node_release_actor check (length(actor) between 1 and 100)
);

-- The points of an account: available is credits_posted - debits_posted - debits_pending. The only
-- row about money that changes often; `version` counts the changes.
create table wallet (
  account_id text primary key references account,
  -- All that was ever added, and all that was ever charged or taken.
  credits_posted bigint not null default 0,
  debits_posted bigint not null default 0,
  -- What is set aside for open requests, and how many there are.
  debits_pending bigint not null default 0,
  open_holds integer not null default 0,
  version bigint not null default 0,
  -- Whether a key or a member of the account may have a limit: without one, none is looked up.
  has_limits boolean not null default false,
  constraint wallet_counters_not_negative check (credits_posted >= 0 and debits_posted >= 0
    and debits_pending >= 0 and open_holds >= 0),
  constraint wallet_available_not_negative check (debits_posted + debits_pending <= credits_posted)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 50);

-- A request that is open: what was ordered, at which price, and how much is set aside for it. Its
-- hold writes the row, its end deletes it, and nothing changes it. Ids begin with their time in
-- milliseconds.
create table open_request (
  id uuid primary key,
  account_id text not null,
  api_key_id text,
  source text not null,
  request_id text not null,
  family text not null,
  -- The API in which it was asked, where not that of chat completions.
  dialect text,
  model text not null,
  -- The price by which the end is charged.
  price_version_id bigint not null,
  model_version_id bigint,
  -- Of the price, in millionths.
  multiplier_ppm integer not null,
  -- What the order was expected to cost at most, and what is set aside for it: less where the
  -- balance is.
  quote_amount bigint not null,
  hold_amount bigint not null,
  -- Of the body, so that a repeated id is known to be of the same order.
  request_sha256 bytea not null,
  -- The process that owes the end; null for a video task, which any process ends.
  node_id text,
  created_at timestamptz not null,
  -- Until then its end is waited for.
  deadline timestamptz not null,
  is_task boolean not null default false,
  constraint open_request_source check (source in ('api', 'playground')),
  constraint open_request_family check (family in ('text', 'image', 'video')),
  constraint open_request_dialect check (dialect in ('messages', 'responses', 'videos', 'mcp')),
  constraint open_request_texts check (length(request_id) between 1 and 100
    and length(model) between 1 and 80),
  constraint open_request_multiplier check (multiplier_ppm between 1 and 100000000),
  constraint open_request_amounts check (quote_amount between 0 and 1000000000000000
    and hold_amount between 0 and 1000000000000000),
  constraint open_request_sha256 check (octet_length(request_sha256) = 32),
  constraint open_request_deadline check (deadline > created_at)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- A request that has ended, with everything that is known of it: the row of open_request, then its
-- end. `amount` is what the journal takes from the wallet.
create table request (
  id uuid primary key,
  account_id text not null,
  api_key_id text,
  source text not null,
  request_id text not null,
  family text not null,
  dialect text,
  model text not null,
  price_version_id bigint not null,
  model_version_id bigint,
  multiplier_ppm integer not null,
  quote_amount bigint not null,
  hold_amount bigint not null,
  request_sha256 bytea not null,
  node_id text,
  created_at timestamptz not null,
  deadline timestamptz not null,
  outcome text not null,
  amount bigint not null,
  input_tokens bigint,
  output_tokens bigint,
  -- What the upstream counted, by unit: the receipt is computed again from it.
  usage jsonb,
  -- Why it was released, or why its answer was cut short.
  reason text,
  channel_id text,
  -- The upstream's id of the work.
  upstream_ref text,
  is_stream boolean,
  -- Whether nobody waited for the answer any more.
  is_abandoned boolean,
  duration_ms integer,
  first_byte_ms integer,
  ended_at timestamptz not null,
  constraint request_outcome check (outcome in ('settled', 'released')),
  constraint request_within_hold check (amount between 0 and hold_amount),
  constraint request_released check (outcome = 'settled' or (amount = 0 and reason is not null)),
  constraint request_settled check (outcome = 'released' or (usage is not null
    and coalesce(input_tokens, -1) >= 0 and coalesce(output_tokens, -1) >= 0)),
  constraint request_bounded check (pg_column_size(usage) <= 8192 and length(reason) <= 200
    and length(upstream_ref) <= 128)
) partition by range (id);
create index request_account on request (account_id, created_at, id);

-- Every request, open or ended; an open one has no outcome.
create view request_known as
  select id, account_id, api_key_id, source, request_id, family, dialect, model, price_version_id,
      model_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
      created_at, deadline, outcome, amount, input_tokens, output_tokens, usage, reason, channel_id,
      upstream_ref, is_stream, is_abandoned, duration_ms, first_byte_ms, ended_at
    from request
  union all
  select id, account_id, api_key_id, source, request_id, family, dialect, model, price_version_id,
      model_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
      created_at, deadline, null, null, null, null, null, null, null, null, null, null, null, null,
      null
    from open_request;

-- Everything but charges that changes a balance.
create table ledger_entry (
  id bigint generated always as identity primary key,
  account_id text not null references wallet,
  kind text not null,
  -- What it is for, once for each kind: the id of a payment, a voucher …
  ref text not null,
  -- Always positive; kind says which way.
  amount bigint not null,
  reason text not null,
  actor text not null,
  created_at timestamptz not null default now(),
  -- The charge that a refund gives back.
  operation_id uuid,
  constraint ledger_entry_amount check (amount between 1 and 1000000000000000),
  constraint ledger_entry_reason check (length(reason) between 1 and 500),
  constraint ledger_entry_actor check (length(actor) between 1 and 100),
  constraint ledger_entry_ref check (length(ref) between 1 and 200),
  constraint ledger_entry_once unique (kind, ref),
  constraint ledger_entry_refund_of check (operation_id is null or kind = 'refund'),
  constraint ledger_entry_kind check (kind in ('topup', 'voucher', 'grant', 'referral', 'refund',
    'clawback', 'adjust_up', 'adjust_down'))
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);
create index ledger_entry_account on ledger_entry (account_id, id);
create index ledger_entry_operation on ledger_entry (operation_id) where operation_id is not null;

-- What could not or may not be charged.
create table operator_loss (
  id bigint generated always as identity primary key,
  operation_id uuid,
  cause text not null,
  -- What it would have cost, as far as known.
  estimate bigint not null,
  detail jsonb,
  created_at timestamptz not null default now(),
  constraint operator_loss_cause check (cause in ('usage_missing', 'usage_over_hold',
    'crash_unknown', 'late_success', 'orphan_upstream', 'clawback_short')),
  constraint operator_loss_estimate check (estimate >= 0)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);
create index operator_loss_operation on operator_loss (operation_id);
-- The losses of a day are read with every reading of the figures.
create index operator_loss_time on operator_loss (created_at);

-- What was taken back of what was credited under a ref: `taken` left the wallet, `lost` could not.
create table ledger_reversal (
  ref text primary key check (length(ref) between 1 and 150),
  account_id text not null references wallet,
  taken bigint not null default 0,
  lost bigint not null default 0,
  moves integer not null default 0,
  constraint ledger_reversal_amounts check (taken >= 0 and lost >= 0)
);

-- Only keys with a budget have a row. It changes only under the lock of its account's wallet.
create table api_key_budget (
  api_key_id text not null references api_key,
  account_id text not null references wallet,
  budget bigint not null,
  spent bigint not null default 0,
  held bigint not null default 0,
  -- `lifetime`, `day`, `week`, `month`: micropoints. `running`: requests at once. `tokens`: tokens
  -- a minute.
  kind text not null default 'lifetime',
  zone text,
  starts_at timestamptz,
  ends_at timestamptz,
  constraint api_key_budget_amounts check (budget between 0 and 1000000000000000 and spent >= 0
    and held >= 0),
  primary key (api_key_id, kind),
  constraint api_key_budget_kind check (kind in ('lifetime', 'day', 'week', 'month', 'running',
    'tokens')),
  constraint api_key_budget_zone check ((zone is not null) = (kind in ('day', 'week', 'month'))),
  constraint api_key_budget_window check (case
    when kind in ('lifetime', 'running') then starts_at is null and ends_at is null
    else starts_at is not null and ends_at is not null and starts_at < ends_at
    end)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 50);

-- Only members with a budget have rows. They change only under the lock of their account's wallet.
create table member_budget (
  account_id text not null references wallet,
  user_id text not null,
  kind text not null,
  budget bigint not null,
  spent bigint not null default 0,
  held bigint not null default 0,
  -- The time zone in which its windows begin.
  zone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (account_id, user_id, kind),
  constraint member_budget_kind check (kind in ('day', 'week', 'month')),
  constraint member_budget_amounts check (budget between 0 and 1000000000000000 and spent >= 0
    and held >= 0),
  constraint member_budget_window check (starts_at < ends_at)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 50);

-- Who ordered in the playground: those requests have no key. Written before the hold, and taken
-- away where nothing was held.
create table playground_operation (
  operation_id uuid primary key,
  account_id text not null references account,
  user_id text not null,
  created_at timestamptz not null default now()
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index playground_operation_account on playground_operation (account_id, created_at);

-- Each audit of the ledger and what it found.
create table ledger_audit_run (
  id bigint generated always as identity primary key,
  actor text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz not null,
  is_clean boolean not null,
  accounts bigint not null,
  entries bigint not null,
  -- Only the checks that failed, with their first few rows.
  broken jsonb not null default '[]'
);
create index ledger_audit_run_started on ledger_audit_run (started_at desc);

-- Ended requests are in partitions by month, of which the server makes the next ones. The first one
-- has the ids of all months until then, the default one those that no other has.
create table request_earlier (like request including defaults including constraints
  including storage);
create table request_default (like request including defaults including constraints
  including storage);
do $$
declare
  after_next timestamp := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
  -- The first 48 bits of an id are its time in milliseconds.
  bound uuid := (lpad(to_hex((extract(epoch from after_next at time zone 'UTC') * 1000)::bigint),
    12, '0') || '70008000000000000000')::uuid;
begin
  execute format('alter table request attach partition request_earlier'
    ' for values from (minvalue) to (%L)', bound);
end $$;
alter table request attach partition request_default default;
-- What is known of the partitions together; autovacuum only reads them one by one.
analyze request;

-- Everything that changed a balance, as a journal: each row takes an amount from one account of the
-- books and gives it to another.
create view ledger_journal as
  select 'charge' as kind, id::text as ref, account_id, amount,
      'wallet:' || account_id as debit_account, 'system:revenue' as credit_account, ended_at
    from request where amount > 0
  union all
  select kind, ref, account_id, amount,
      case when kind in ('clawback', 'adjust_down')
        then 'wallet:' || account_id else 'system:' || kind end,
      case when kind in ('clawback', 'adjust_down')
        then 'system:' || kind else 'wallet:' || account_id end,
      created_at
    from ledger_entry;
