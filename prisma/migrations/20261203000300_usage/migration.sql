-- Sums of what was used, which the follower makes of ended requests, so that no page reads all of
-- them. All amounts are micropoints.

-- Sums of settled requests per UTC day. api_key_id is '' for requests without a key.
create table usage_day (
  account_id text not null references wallet,
  api_key_id text not null,
  model text not null,
  day date not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  amount bigint not null,
  primary key (account_id, day, api_key_id, model),
  constraint usage_day_not_negative check (requests >= 0 and input_tokens >= 0
    and output_tokens >= 0 and amount >= 0)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);

-- Ended requests that are in no sum yet. Read whole, and deleted by place, so it needs no index.
create table usage_waiting (
  operation_id uuid not null,
  account_id text not null
) with (autovacuum_vacuum_cost_delay = 0, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000);

-- By the hour (UTC) in which a request was made. api_key_id and dialect are '' where a request has
-- none. A histogram is a list of count × 512 + step, with about 4.4 % from step to step; its
-- formula is in usage_row, below.
create table usage_hour (
  account_id text not null,
  hour timestamptz not null,
  api_key_id text not null,
  model text not null,
  dialect text not null,
  family text not null,
  settled bigint not null,
  released bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  amount bigint not null,
  latency bigint[] not null,
  first_token bigint[] not null,
  primary key (account_id, hour, api_key_id, model, dialect),
  constraint usage_hour_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0
    and output_tokens >= 0 and amount >= 0),
  constraint usage_hour_whole check (extract(epoch from hour) % 3600 = 0)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);
create index usage_hour_released on usage_hour (account_id, hour) where released > 0;

-- As usage_hour, of the part of an hour before `at`: for days that begin within an hour (UTC).
create table usage_part (
  account_id text not null,
  at timestamptz not null,
  api_key_id text not null,
  model text not null,
  dialect text not null,
  family text not null,
  settled bigint not null,
  released bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  amount bigint not null,
  latency bigint[] not null,
  first_token bigint[] not null,
  primary key (account_id, at, api_key_id, model, dialect),
  constraint usage_part_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0
    and output_tokens >= 0 and amount >= 0)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);

-- The sums of an account's requests from the hour's beginning to `at` are in usage_part.
create table usage_cut (
  account_id text not null,
  at timestamptz not null,
  primary key (account_id, at),
  constraint usage_cut_within check (extract(epoch from at) % 3600 <> 0)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);

-- The last time for which parts were made, and the last one whose parts were audited.
create table usage_cut_head (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null,
  audited timestamptz not null,
  constraint usage_cut_head_audited check (audited <= at)
);

-- As usage_hour, of the four hours from `at` on.
create table usage_block (
  account_id text not null,
  at timestamptz not null,
  api_key_id text not null,
  model text not null,
  dialect text not null,
  family text not null,
  settled bigint not null,
  released bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  amount bigint not null,
  latency bigint[] not null,
  first_token bigint[] not null,
  primary key (account_id, at, api_key_id, model, dialect),
  constraint usage_block_not_negative check (settled >= 0 and released >= 0 and input_tokens >= 0
    and output_tokens >= 0 and amount >= 0)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);

-- The sums of an account's requests in the four hours from `at` on are in usage_block.
create table usage_block_mark (
  account_id text not null,
  at timestamptz not null,
  primary key (account_id, at),
  constraint usage_block_mark_whole check (extract(epoch from at) % 14400 = 0)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);

-- The beginning of the last block that was made, and of the last one that was audited.
create table usage_block_head (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null,
  audited timestamptz not null,
  constraint usage_block_head_audited check (audited <= at)
);

-- Over all accounts, for operators: by the hour (UTC) in which a request was made. channel_id is ''
-- where no channel answered.
create table usage_total_hour (
  hour timestamptz not null,
  model text not null,
  channel_id text not null,
  settled bigint not null,
  released bigint not null,
  amount bigint not null,
  latency bigint[] not null,
  failed bigint not null,
  primary key (hour, model, channel_id),
  constraint usage_total_hour_not_negative check (settled >= 0 and released >= 0 and amount >= 0),
  constraint usage_total_hour_whole check (extract(epoch from hour) % 3600 = 0),
  constraint usage_total_hour_failed check (failed between 0 and released)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);

-- As usage_total_hour, by the day (UTC) on which a request ended.
create table usage_total_day (
  day date not null,
  model text not null,
  channel_id text not null,
  settled bigint not null,
  released bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  amount bigint not null,
  latency bigint[] not null,
  first_token bigint[] not null,
  primary key (day, model, channel_id),
  constraint usage_total_day_not_negative check (settled >= 0 and released >= 0
    and input_tokens >= 0 and output_tokens >= 0 and amount >= 0)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);

insert into usage_cut_head (at, audited) values ('-infinity', '-infinity');
insert into usage_block_head (at, audited) values ('-infinity', '-infinity');

-- An ended request as the sums count it. The step of a time in a histogram is 512 and 16 times its
-- logarithm to the base 2. `failed`: not by the customer's doing.
create view usage_row as
  select id, account_id, created_at, date_trunc('hour', created_at, 'UTC') as hour,
      coalesce(api_key_id, '') as api_key_id, model, coalesce(dialect, '') as dialect,
      family, coalesce(channel_id, '') as channel_id, ended_at,
      (outcome = 'settled')::int as settled, (outcome = 'released')::int as released,
      coalesce(input_tokens, 0) as input_tokens, coalesce(output_tokens, 0) as output_tokens,
      amount,
      case when outcome = 'settled' and duration_ms is not null then 512
        + floor(16 * ln(greatest(duration_ms, 1)::float8) / ln(2::float8) + 1e-9)::bigint
      end as latency,
      case when outcome = 'settled' and is_stream and first_byte_ms is not null then 512
        + floor(16 * ln(greatest(first_byte_ms, 1)::float8) / ln(2::float8) + 1e-9)::bigint
      end as first_token,
      (outcome = 'released' and coalesce(reason, '') not in ('content_rejected',
        'audio_review_failed', 'client_gone', 'task_cancelled', 'api_key_paused', 'invalid_value',
        'unsupported_value'))::int as failed
    from request;

-- usage_day with what waits for it: up to this moment.
create view usage_of_day as
  select account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount
    from usage_day
  union all
  select w.account_id, r.api_key_id, r.model, (r.ended_at at time zone 'UTC')::date, 1,
      r.input_tokens, r.output_tokens, r.amount
    from usage_waiting w
      cross join lateral (select * from usage_row u where u.id = w.operation_id offset 0) r
    where r.settled = 1;
