-- What moved here from another relay.
create table import_source (
  name text primary key,
  product text not null,
  quota_per_point bigint not null,
  -- The last row of its log that was counted.
  logs_to bigint not null default -1,
  created_at timestamptz not null default now(),
  constraint import_source_name check (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  constraint import_source_product check (product in ('new-api', 'one-api')),
  constraint import_source_rate check (quota_per_point between 1 and 1000000000000)
);

-- Which row of a source became which of ours.
create table import_row (
  source text not null references import_source (name),
  kind text not null,
  foreign_id text not null,
  target_id text not null,
  -- The balance, as the source counts it.
  quota bigint,
  primary key (source, kind, foreign_id),
  constraint import_row_kind check (kind in ('model', 'channel', 'group', 'user', 'key', 'voucher'))
);

-- What its log says of the time before, in days. It is no part of the books.
create table import_usage (
  source text not null references import_source (name),
  account_id text not null,
  day date not null,
  model text not null,
  -- Empty where the log names no key that moved.
  api_key_id text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  quota bigint not null,
  primary key (source, account_id, day, model, api_key_id),
  constraint import_usage_requests check (requests > 0)
);
