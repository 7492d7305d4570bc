-- A call to an upstream that the row of its request does not tell of: one that failed, one with one
-- of a channel's several credentials, or a test of a channel. Written in batches, a moment later.
create table upstream_attempt (
  -- Begins with its time in milliseconds.
  id uuid primary key,
  -- Null for a test.
  operation_id uuid,
  channel_id text not null,
  credential text,
  model text not null,
  -- The upstream's name for the model.
  upstream_model text not null,
  -- Why it failed; null when it answered.
  code text,
  -- The HTTP status of a refusal.
  status smallint,
  -- Short codes, safe to log; and the upstream's own words, which may quote prompts.
  internal text,
  said text,
  upstream_ref text,
  -- Whether the upstream may bill a failed call.
  may_have_cost boolean not null default false,
  took_ms integer not null,
  ended_at timestamptz not null,
  constraint upstream_attempt_failure check ((code is null) = (internal is null)),
  constraint upstream_attempt_bounded check (length(code) <= 80 and length(internal) <= 300
    and length(said) <= 500 and length(upstream_ref) <= 128 and took_ms >= 0)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index upstream_attempt_operation on upstream_attempt (operation_id);
create index upstream_attempt_channel on upstream_attempt (channel_id, ended_at);
create index upstream_attempt_age on upstream_attempt (ended_at);
