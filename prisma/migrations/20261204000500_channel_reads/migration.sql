-- What an upstream cannot read is part of a channel's profile (reads). Requests find it out too, so
-- it may be known before a test.
alter table channel
  drop constraint channel_profile_is_whole,
  drop constraint channel_profile_parts,
  add constraint channel_profile_is_whole check (profiled_at is null or profile is not null),
  add constraint channel_profile_parts check (profile is null
    or (jsonb_typeof(profile) = 'object'
    and profile - array['plainUsage', 'streamUsage', 'maxTokens', 'maxCompletionTokens', 'tools',
    'images', 'modelList', 'reads'] = '{}'
    and not jsonb_path_exists(profile - 'reads', '$.* ? (@.type() != "boolean")')
    and jsonb_typeof(coalesce(profile -> 'reads', '{}')) = 'object'
    and not jsonb_path_exists(profile -> 'reads', '$.* ? (@.type() != "object")')
    and not jsonb_path_exists(profile -> 'reads', '$.*.* ? (@.type() != "boolean")')));

-- Requests that the client can change have not failed.
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
        'invalid_image', 'invalid_tool_schema', 'invalid_history'))::int as failed
    from request;
