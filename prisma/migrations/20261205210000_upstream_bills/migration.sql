-- What a channel's upstream asks for a model from a time on: millionths of the currency per million
-- tokens, or per one of what is no token.
create table upstream_rate (
  channel_id text not null references channel on delete cascade,
  -- The upstream's name for the model.
  model text not null,
  effective_at timestamptz not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  rates jsonb not null,
  noted_by text not null,
  noted_at timestamptz not null default now(),
  primary key (channel_id, model, effective_at),
  constraint upstream_rate_rates check (jsonb_typeof(rates) = 'array'
    and jsonb_array_length(rates) between 1 and 64),
  constraint upstream_rate_model check (length(model) between 1 and 200)
);

-- A bill of a channel's upstream that was compared with our book. Amounts are millionths.
create table upstream_bill (
  id text primary key,
  channel_id text not null references channel on delete cascade,
  -- Of the file; its bytes name the bill.
  name text not null,
  sha256 bytea not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  from_at timestamptz not null,
  to_at timestamptz not null,
  lines integer not null check (lines >= 0),
  agreed integer not null check (agreed >= 0),
  billed bigint not null,
  owed bigint not null,
  -- By cause: how many differences, and their sum.
  causes jsonb not null,
  made_by text not null,
  made_at timestamptz not null default now(),
  unique (channel_id, sha256)
);
create index upstream_bill_made on upstream_bill (made_at);

-- A difference, the dearest first; their sum is what is billed less what is owed, unless there are
-- too many to keep.
create table upstream_difference (
  bill_id text not null references upstream_bill on delete cascade,
  nth integer not null,
  cause text not null,
  ref text,
  at timestamptz,
  model text not null,
  amount bigint not null,
  billed jsonb,
  owed jsonb,
  primary key (bill_id, nth)
);
