-- Requests sent with an Idempotency-Key, so that a retry finds the first one's answer.

-- operation_id is chosen before the work begins: what became of the points tells what became of a request whose process died.
-- node_id is the process that works on it; null: its work goes on without one (a video task), and a retry waits for it again.
create table idempotent_request (
  account_id     text not null references account,
  key            text not null,
  endpoint       text not null,
  request_sha256 bytea not null,
  is_stream      boolean not null,
  request_id     text not null,
  operation_id   uuid not null,
  node_id        text,
  state          text not null default 'running',
  headers        jsonb,
  body           bytea,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null default now() + interval '24 hours',
  primary key (account_id, key),
  constraint idempotent_request_key check (length(key) between 1 and 255),
  constraint idempotent_request_sha256 check (octet_length(request_sha256) = 32),
  constraint idempotent_request_state check (state in ('running', 'answered')),
  constraint idempotent_request_answer check (state = 'running' or body is not null)
);
create index idempotent_request_expiry on idempotent_request (expires_at);
