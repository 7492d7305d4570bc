-- What is over is taken into pieces, pieces into sealed days, and months of sealed requests into
-- files. Each row has the hash of the one before.

-- How far the pieces are. A request that ends with an id below `announced` is put apart;
-- once every transaction from before the announcement is over, the ids below it belong to pieces.
-- `entry` and `loss` are the same of the journal and of the losses; they begin below every number,
-- so that no row can stand before the first piece.
create table ledger_seal_head (
  only_row boolean primary key default true check (only_row),
  announced uuid not null,
  announced_entry bigint not null,
  announced_loss bigint not null,
  below uuid not null,
  piece bigint not null,
  entry bigint not null,
  loss bigint not null,
  seal bigint not null,
  -- The hours of usage before it were compared with their requests.
  hours_below timestamptz not null,
  constraint ledger_seal_head_announced check (below <= announced and entry <= announced_entry
    and loss <= announced_loss)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 50, fillfactor = 10);

-- Requests that belong to no piece by their id alone: ended after their place was announced, or
-- opened with an id of another time. `piece` is the one that counts them; null while none does.
create table ledger_apart (
  operation_id uuid primary key,
  created_at timestamptz not null,
  piece bigint
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index ledger_apart_waiting on ledger_apart (operation_id) where piece is null;
create index ledger_apart_piece on ledger_apart (piece) where piece is not null;
create index ledger_apart_created on ledger_apart (created_at);

-- Ended requests with ids from `starts` to before `below`, without those apart, and those apart
-- that name this piece; the journal's entries and the losses with numbers after `entry_after` up to
-- `entry`. The hash is of all these rows in their order.
create table ledger_piece (
  number bigint primary key,
  starts uuid not null,
  below uuid not null,
  entry_after bigint not null,
  entry bigint not null,
  loss_after bigint not null,
  loss bigint not null,
  requests bigint not null,
  entries bigint not null,
  losses bigint not null,
  -- The first and the last day (UTC) on which its requests ended; null without requests.
  ended_from date,
  ended_to date,
  hash bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  constraint ledger_piece_hash check (octet_length(hash) = 32),
  constraint ledger_piece_order check (starts <= below and entry_after <= entry
    and loss_after <= loss)
);

-- The sums of the requests in pieces that no seal has counted, by the day on which they ended.
-- Emptied by seals.
create table ledger_draft (
  day date not null,
  account_id text not null,
  api_key_id text not null,
  model text not null,
  channel_id text not null,
  settled bigint not null,
  released bigint not null,
  charges bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  amount bigint not null,
  timed bigint not null,
  streamed bigint not null,
  primary key (day, account_id, api_key_id, model, channel_id)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);

-- A day that is over: all requests that ended on it (or on an earlier day, if they came late) in
-- pieces up to `piece`, and the journal's entries after those of the seal before, up to `entry`.
create table ledger_seal (
  day date primary key,
  number bigint not null unique,
  piece bigint not null,
  entry bigint not null,
  accounts bigint not null,
  requests bigint not null,
  charges bigint not null,
  entries bigint not null,
  -- Of the pieces since the seal before, of the day's rows of ledger_seal_account, and of every
  -- account's closing balances.
  pieces_hash bytea not null,
  accounts_hash bytea not null,
  balances_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null unique,
  sealed_at timestamptz not null default clock_timestamp(),
  constraint ledger_seal_hashes check (octet_length(pieces_hash) = 32
    and octet_length(accounts_hash) = 32 and octet_length(balances_hash) = 32
    and octet_length(previous_hash) = 32 and octet_length(hash) = 32)
);

-- An account on a day on which something changed its balance or a request of it ended. `kinds` has
-- the sum of its entries by their kind.
create table ledger_seal_account (
  account_id text not null,
  day date not null,
  requests bigint not null,
  charges bigint not null,
  entries bigint not null,
  charged bigint not null,
  credited bigint not null,
  debited bigint not null,
  kinds jsonb not null,
  credits_before bigint not null,
  debits_before bigint not null,
  credits_after bigint not null,
  debits_after bigint not null,
  primary key (account_id, day),
  constraint ledger_seal_account_credits check (credits_after = credits_before + credited),
  constraint ledger_seal_account_debits check (debits_after = debits_before + charged + debited),
  constraint ledger_seal_account_not_negative check (least(requests, charges, entries, charged,
    credited, debited, credits_before, debits_before) >= 0)
);
create index ledger_seal_account_day on ledger_seal_account (day, account_id);

-- A file with the requests whose ids are from `starts` to before `below`.
create table ledger_archive_part (
  month date not null,
  number integer not null,
  starts uuid not null,
  below uuid not null,
  file text not null unique,
  bytes bigint not null,
  sha256 bytea not null,
  requests bigint not null,
  charges bigint not null,
  charged bigint not null,
  -- Of the sums of each account, and of the hashes that its rows have in their piece.
  accounts_hash bytea not null,
  rows_hash bytea not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (month, number),
  constraint ledger_archive_part_hashes check (octet_length(sha256) = 32
    and octet_length(accounts_hash) = 32 and octet_length(rows_hash) = 32),
  constraint ledger_archive_part_figures check (starts < below and number > 0 and bytes > 0
    and requests > 0 and charges between 0 and requests and charged >= 0)
);

-- A month whose parts are complete, chained to the one that was archived before. `seal` is the last
-- sealed day then.
create table ledger_archive (
  month date primary key,
  number bigint not null unique,
  parts integer not null,
  bytes bigint not null,
  requests bigint not null,
  charges bigint not null,
  charged bigint not null,
  parts_hash bytea not null,
  seal bigint not null,
  seal_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null unique,
  made_at timestamptz not null default clock_timestamp(),
  constraint ledger_archive_month check (month = date_trunc('month', month)),
  constraint ledger_archive_hashes check (octet_length(parts_hash) = 32
    and octet_length(seal_hash) = 32 and octet_length(previous_hash) = 32
    and octet_length(hash) = 32)
);

-- Archived months whose requests are only in their files, chained to the one that was dropped
-- before. Their ids are from `starts` to before `below`.
create table ledger_archive_drop (
  month date primary key,
  number bigint not null unique,
  starts uuid not null,
  below uuid not null,
  archive_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null unique,
  dropped_at timestamptz not null default clock_timestamp(),
  constraint ledger_archive_drop_range check (starts < below),
  constraint ledger_archive_drop_hashes check (octet_length(archive_hash) = 32
    and octet_length(previous_hash) = 32 and octet_length(hash) = 32)
);

insert into ledger_seal_head values (true, '00000000-0000-0000-0000-000000000000',
  -9223372036854775807, -9223372036854775807, '00000000-0000-0000-0000-000000000000', 0,
  -9223372036854775807, -9223372036854775807, 0, '-infinity');
