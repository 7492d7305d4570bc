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
  -- What is set aside for open holds, and how many there are.
  debits_pending bigint not null default 0,
  open_holds integer not null default 0,
  version bigint not null default 0,
  constraint wallet_counters_not_negative check (credits_posted >= 0 and debits_posted >= 0
    and debits_pending >= 0 and open_holds >= 0),
  constraint wallet_available_not_negative check (debits_posted + debits_pending <= credits_posted)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 50);

-- One request that costs something is one hold: what was ordered, at which price, and how much is
-- set aside. Ids begin with their time in milliseconds.
create table operation (
  id uuid primary key,
  account_id text not null,
  api_key_id text,
  source text not null,
  request_id text not null,
  family text not null,
  model text not null,
  -- The price by which the end is charged.
  price_version_id bigint not null,
  -- Of the price, in millionths.
  multiplier_ppm integer not null,
  -- What the order was expected to cost at most, and what is set aside for it: less where the
  -- balance is.
  quote_amount bigint not null,
  hold_amount bigint not null,
  -- Of the body, so that a repeated id is known to be of the same order.
  request_sha256 bytea not null,
  -- The process that opened it.
  node_id text,
  created_at timestamptz not null default now(),
  -- Until then its end is waited for.
  deadline timestamptz not null,
  -- The API in which it was asked, where not that of chat completions.
  dialect text,
  model_version_id bigint,
  constraint operation_source check (source in ('api', 'playground')),
  constraint operation_family check (family in ('text', 'image', 'video')),
  constraint operation_texts_bounded check (length(request_id) between 1 and 100
    and length(model) between 1 and 80),
  constraint operation_multiplier check (multiplier_ppm between 1 and 100000000),
  constraint operation_quote_amount check (quote_amount between 0 and 1000000000000000),
  constraint operation_hold_amount check (hold_amount between 0 and 1000000000000000),
  constraint operation_request_sha256 check (octet_length(request_sha256) = 32),
  constraint operation_deadline check (deadline > created_at),
  constraint operation_dialect_check check (dialect in ('messages', 'responses', 'videos', 'mcp'))
) partition by range (id);
create index operation_account on operation (account_id, created_at, id);

-- The work queue: a row is here exactly while its operation has no settlement. Triggers alone fill
-- and empty it. node_id is the process that owes the end; null is kept for work that no process
-- owns.
create table open_operation (
  operation_id uuid primary key,
  account_id text not null,
  api_key_id text,
  model text not null,
  hold_amount bigint not null,
  node_id text,
  deadline timestamptz not null
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- The end of an operation, and the charge: amount is what the journal takes from the wallet.
create table settlement (
  operation_id uuid primary key,
  account_id text not null,
  hold_amount bigint not null,
  outcome text not null,
  amount bigint not null,
  input_tokens bigint,
  output_tokens bigint,
  -- What the upstream counted, by unit: the receipt is computed again from it.
  usage jsonb,
  -- Why it was released.
  reason text,
  channel_id text,
  -- The upstream's id of the work.
  upstream_ref text,
  is_stream boolean,
  -- Whether nobody waited for the answer any more.
  is_abandoned boolean,
  duration_ms integer,
  first_byte_ms integer,
  created_at timestamptz not null default now(),
  -- Whether it came after there were sums of usage: the follower counts it.
  is_followed boolean not null default true,
  constraint settlement_outcome check (outcome in ('settled', 'released')),
  constraint settlement_within_hold check (amount between 0 and hold_amount),
  constraint settlement_released_is_free check (outcome = 'settled' or amount = 0),
  constraint settlement_settled_has_usage check (outcome = 'released'
    or (usage is not null and coalesce(input_tokens, -1) >= 0
    and coalesce(output_tokens, -1) >= 0)),
  constraint settlement_released_has_reason check (outcome = 'settled' or reason is not null),
  constraint settlement_bounded check (pg_column_size(usage) <= 8192 and length(reason) <= 200
    and length(upstream_ref) <= 128)
) partition by range (operation_id);

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

-- Requests are in partitions by month, of which the server makes the next ones. The first partition
-- has the ids of all months until then, the default one those that no other has.
do $$
declare
  after_next timestamp := date_trunc('month', now() at time zone 'UTC') + interval '2 months';
  -- The first 48 bits of an id are its time in milliseconds.
  milliseconds bigint := extract(epoch from after_next at time zone 'UTC') * 1000;
  bound uuid := (lpad(to_hex(milliseconds), 12, '0') || '70008000000000000000')::uuid;
  parent text;
  part text;
begin
  foreach parent in array array['operation', 'settlement'] loop
    foreach part in array array[parent || '_earlier', parent || '_default'] loop
      execute format('create table %I'
        ' (like %I including defaults including constraints including storage)', part, parent);
    end loop;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
      parent, parent || '_earlier', bound);
    execute format('alter table %I attach partition %I default', parent, parent || '_default');
  end loop;
end $$;
-- What is known of the partitions together; autovacuum only reads them one by one.
analyze operation;
analyze settlement;

-- Everything that changed a balance, as a journal: each row takes an amount from one account of the
-- books and gives it to another.
create view ledger_journal as
  select 'charge' as kind, operation_id::text as ref, account_id, amount,
      'wallet:' || account_id as debit_account, 'system:revenue' as credit_account, created_at
    from settlement where amount > 0
  union all
  select kind, ref, account_id, amount,
      case when kind in ('clawback', 'adjust_down')
        then 'wallet:' || account_id else 'system:' || kind end,
      case when kind in ('clawback', 'adjust_down')
        then 'system:' || kind else 'wallet:' || account_id end,
      created_at
    from ledger_entry;
