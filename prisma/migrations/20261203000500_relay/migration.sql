-- What the relay keeps of orders: results, tasks, callbacks, answers for retries, stored responses.

-- A file of a result, in the media store under this id.
create table media (
  id text primary key,
  account_id text not null references account,
  kind text not null check (kind in ('video', 'image')),
  extension text not null check (extension in ('mp4', 'png', 'jpg', 'webp')),
  content_type text not null,
  bytes bigint check (bytes > 0),
  width integer check (width > 0),
  height integer check (height > 0),
  created_at timestamptz not null default now(),
  -- Set once the whole file is safe.
  stored_at timestamptz,
  -- When the file is removed; links end before.
  expires_at timestamptz not null,
  deleted_at timestamptz,
  check (stored_at is null or bytes is not null)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index media_expiry on media (expires_at) where deleted_at is null;
create index media_account on media (account_id, created_at);

-- A video that was ordered: what, where it was sent, and what became of it. Its hold is opened, and
-- ended, in one commit with it.
create table video_task (
  id text primary key,
  operation_id uuid not null unique,
  account_id text not null references account,
  api_key_id text,
  -- Catalogue identifier, and the name that the request used.
  model text not null,
  model_named text not null,
  -- The order, normalized; its images apart, since they may be large, and only until they were
  -- sent.
  spec jsonb not null,
  image_urls jsonb not null default '[]',
  status text not null default 'queued',
  -- Where it was sent, as the channel was then: a task stays with what made it.
  channel_id text,
  channel_protocol text,
  channel_base_url text,
  -- intent: written before the bytes leave; accepted: the upstream answered with its id.
  submit_state text not null default 'none',
  submits smallint not null default 0,
  upstream_ref text,
  next_poll_at timestamptz not null default now(),
  polls integer not null default 0,
  poll_failures integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  media_id text,
  result_expires_at timestamptz,
  error_code text,
  output_tokens bigint,
  -- What the upstream said of the result: duration, size, frames, seed.
  facts jsonb,
  callback_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  hidden_at timestamptz,
  submitted_at timestamptz,
  running_at timestamptz,
  -- Prompt and pictures leave with the result.
  settings_removed_at timestamptz,
  constraint video_task_status check (status in ('queued', 'running', 'succeeded', 'failed',
    'cancelled', 'expired')),
  constraint video_task_submit_state check (submit_state in ('none', 'intent', 'accepted')),
  constraint video_task_sent_somewhere check (submit_state = 'none' or channel_id is not null),
  constraint video_task_accepted_has_ref check ((submit_state = 'accepted')
    = (upstream_ref is not null)),
  constraint video_task_succeeded_has_result check (status <> 'succeeded'
    or (media_id is not null and result_expires_at is not null)),
  constraint video_task_failed_says_why check (status not in ('failed', 'cancelled', 'expired')
    or error_code is not null),
  constraint video_task_ended check ((status in ('queued', 'running')) = (ended_at is null)),
  constraint video_task_upstream unique (channel_id, upstream_ref)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);
create index video_task_due on video_task (next_poll_at) where status in ('queued', 'running');
create index video_task_account on video_task (account_id, created_at desc, id desc);
-- How long a model's videos take is told from the latest.
create index video_task_times on video_task (model, ended_at desc) where status = 'succeeded';
create index video_task_kept_settings on video_task (ended_at)
  where ended_at is not null and settings_removed_at is null;

-- One per request of the image family. Its state is the request's: open, settled or released.
create table image_result (
  id text primary key,
  operation_id uuid not null unique,
  account_id text not null references account,
  model text not null,
  -- The order: its prompt, size, seed and pictures; never in a table of money.
  spec jsonb not null,
  -- Set once the file is safe, before the end.
  media_id text,
  result_expires_at timestamptz,
  created_at timestamptz not null,
  hidden_at timestamptz,
  settings_removed_at timestamptz,
  constraint image_result_has_end check ((media_id is null) = (result_expires_at is null))
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index image_result_account on image_result (account_id, created_at desc, id desc);
create index image_result_times on image_result (model, created_at desc) where media_id is not null;
create index image_result_kept_settings on image_result (created_at)
  where settings_removed_at is null;

-- What is to be sent to a task's callback address, once for each of its states.
create table callback_delivery (
  id bigint generated always as identity primary key,
  task_id text not null references video_task,
  account_id text not null references account,
  url text not null,
  status text not null,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  -- What the last attempt met: an HTTP status, or a word such as timeout.
  last_answer text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  given_up_at timestamptz,
  constraint callback_delivery_once unique (task_id, status),
  constraint callback_delivery_answer check (length(last_answer) <= 200),
  constraint callback_delivery_ends_once check (delivered_at is null or given_up_at is null)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index callback_delivery_due on callback_delivery (next_attempt_at)
  where delivered_at is null and given_up_at is null;

-- A request that may be sent again, and its answer. operation_id is chosen before the work begins:
-- what became of the points tells what became of a request whose process died. node_id is the
-- process that works on it; null: its work goes on without one (a video task), and a retry waits
-- for it again.
create table idempotent_request (
  account_id text not null references account,
  key text not null,
  endpoint text not null,
  request_sha256 bytea not null,
  is_stream boolean not null,
  request_id text not null,
  operation_id uuid not null,
  node_id text,
  state text not null default 'running',
  headers jsonb,
  body bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  -- Of a request without a key of its own, by which a retry finds it; and who sent it.
  fingerprint bytea,
  caller_id text,
  caller_node text,
  -- Of a change by key: set in the transaction of the change.
  took_effect boolean not null default false,
  primary key (account_id, key),
  constraint idempotent_request_key check (length(key) between 1 and 255),
  constraint idempotent_request_sha256 check (octet_length(request_sha256) = 32),
  constraint idempotent_request_state check (state in ('running', 'answered')),
  constraint idempotent_request_answer check (state = 'running' or body is not null),
  constraint idempotent_request_fingerprint check (octet_length(fingerprint) = 32)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000, fillfactor = 70, toast.autovacuum_vacuum_scale_factor = 0.01,
  toast.autovacuum_vacuum_threshold = 2000);
create index idempotent_request_expiry on idempotent_request (expires_at);
create index idempotent_request_order
  on idempotent_request (account_id, fingerprint, created_at desc) where fingerprint is not null;

-- The key under which an account's stored responses are encrypted, and how many there are.
create table response_account (
  account_id text primary key references account,
  -- nonce (12 bytes), ciphertext, tag
  sealed_key bytea not null,
  -- The sums of its rows below, kept by triggers.
  responses bigint not null default 0,
  bytes bigint not null default 0
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);

-- A response of the Responses API that was to be kept.
create table stored_response (
  id text primary key,
  account_id text not null references response_account,
  -- What it continues; that one may have been removed.
  previous_id text,
  -- Each: nonce (12 bytes), ciphertext, tag. The items of the request alone, those of the answer,
  -- and the rest of the answer.
  input bytea not null,
  output bytea not null,
  response bytea not null,
  bytes integer not null generated always as (octet_length(input) + octet_length(output)
    + octet_length(response)) stored,
  created_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 2000);
alter table stored_response alter column input set storage external, alter column output
  set storage external, alter column response set storage external;
create index stored_response_account
  on stored_response (account_id, created_at desc, id desc) include (bytes);
create index stored_response_age on stored_response (created_at);
