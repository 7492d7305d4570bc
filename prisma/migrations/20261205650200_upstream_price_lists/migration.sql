-- Where a channel's price list is read, and when next.
create table upstream_price_list (
  channel_id text primary key references channel on delete cascade,
  format text not null check (format in ('relay', 'new-api', 'openrouter', 'litellm')),
  -- Null: where the channel's base URL has it.
  address text check (length(address) <= 500),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  next_at timestamptz not null default now(),
  read_at timestamptz,
  -- Why the last reading failed; null where it did not.
  failed text,
  set_by text not null
);

-- What the list asked for a model of the channel when it was read last. It counts nowhere before an
-- operator takes it over into upstream_rate.
create table upstream_listed_rate (
  channel_id text not null references upstream_price_list on delete cascade,
  model text not null check (length(model) between 1 and 200),
  rates jsonb not null check (jsonb_typeof(rates) = 'array'
    and jsonb_array_length(rates) between 1 and 64),
  -- Since when it has been so.
  since timestamptz not null default now(),
  primary key (channel_id, model)
);
