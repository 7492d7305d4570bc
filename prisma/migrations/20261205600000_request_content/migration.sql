-- For how many days the input and output of the account's texts are kept; null for not at all.
alter table account add column content_days smallint
  constraint account_content_days check (content_days between 1 and 30);

-- The sums of the rows of `request_content`, kept by triggers.
alter table response_account add column contents bigint not null default 0,
  add column content_bytes bigint not null default 0;

-- What a request asked and what it was answered, of an account that chose to keep it.
create table request_content (
  operation_id uuid primary key,
  account_id text not null references response_account,
  -- Who ordered it, and with which model.
  api_key_id text,
  user_id text,
  model text not null,
  -- Each: nonce (12 bytes), ciphertext, tag, under the account's key. Null where there was none, or
  -- too much of it.
  input bytea,
  output bytea,
  bytes integer not null generated always as (coalesce(octet_length(input), 0)
    + coalesce(octet_length(output), 0)) stored,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 2000);
alter table request_content alter column input set storage external, alter column output
  set storage external;
create index request_content_account
  on request_content (account_id, created_at desc, operation_id desc) include (bytes);
create index request_content_age on request_content (expires_at);
