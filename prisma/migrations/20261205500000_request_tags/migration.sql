-- What a request is tagged with: names with their values. Null for none.
alter table open_request add column tags jsonb,
  add constraint open_request_tags check (tags is null or (jsonb_typeof(tags) = 'object'
    and tags <> '{}' and octet_length(tags::text) <= 30000));
alter table request add column tags jsonb;

create or replace view request_known as
  select id, account_id, api_key_id, source, request_id, family, dialect, model, price_version_id,
      model_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
      created_at, deadline, outcome, amount, input_tokens, output_tokens, usage, reason, channel_id,
      upstream_ref, is_stream, is_abandoned, duration_ms, first_byte_ms, ended_at, tags
    from request
  union all
  select id, account_id, api_key_id, source, request_id, family, dialect, model, price_version_id,
      model_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, node_id,
      created_at, deadline, null, null, null, null, null, null, null, null, null, null, null, null,
      null, tags
    from open_request;

-- `tags` and `tag_set`, which names them together, are new; the rest is as it was.
create or replace view usage_row as
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
        'unsupported_value', 'context_length_exceeded', 'max_tokens_too_large', 'body_too_large',
        'invalid_image', 'invalid_tool_schema', 'invalid_history'))::int as failed,
      tags, case when tags is null then '' else md5(tags::text) end as tag_set
    from request;

-- The sums of an hour are apart for each set of tags.
alter table usage_hour add column tags jsonb, add column tag_set text not null default '',
  add constraint usage_hour_tags check ((tags is null) = (tag_set = ''));
alter table usage_hour drop constraint usage_hour_pkey;
alter table usage_hour
  add primary key (account_id, hour, api_key_id, model, dialect, tag_set);

-- What requests with a tag may cost in a day, a week or a month. As member_budget.
create table tag_budget (
  account_id text not null references wallet,
  name text not null,
  value text not null,
  kind text not null,
  budget bigint not null,
  spent bigint not null default 0,
  held bigint not null default 0,
  zone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (account_id, name, value, kind),
  constraint tag_budget_kind check (kind in ('day', 'week', 'month')),
  constraint tag_budget_tag check (length(name) between 1 and 64
    and length(value) between 1 and 256),
  constraint tag_budget_amounts check (budget between 0 and 1000000000000000 and spent >= 0
    and held >= 0),
  constraint tag_budget_window check (starts_at < ends_at)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 50);

-- The names of the tags of an account in a month (UTC), and how many values each has.
create table tag_name (
  account_id text not null references account,
  month date not null,
  name text not null,
  value_count integer not null default 0,
  primary key (account_id, month, name),
  constraint tag_name_length check (length(name) between 1 and 64),
  constraint tag_name_count check (value_count >= 0)
);
create index tag_name_month on tag_name (month);
-- The values of a name.
create table tag_value (
  account_id text not null,
  month date not null,
  name text not null,
  value text not null,
  primary key (account_id, month, name, value),
  foreign key (account_id, month, name) references tag_name on delete cascade,
  constraint tag_value_length check (length(value) between 1 and 256)
);
