-- Whether what the account's people do in the playground is kept for them.
alter table account add column keeps_sessions boolean not null default true;

-- A conversation of a user in the playground, or a film's or picture's settings with what was made.
-- Its user's alone, while a member of the account.
create table studio_session (
  id text primary key,
  account_id text not null,
  user_id text not null,
  kind text not null constraint studio_session_kind check (kind in ('text', 'video', 'image')),
  revision integer not null default 1,
  -- Each: nonce (12 bytes), ciphertext, tag, under the account's key.
  title bytea not null,
  content bytea not null,
  bytes integer not null generated always as (octet_length(title) + octet_length(content)) stored,
  updated_at timestamptz not null default now(),
  constraint studio_session_member foreign key (account_id, user_id)
    references account_member on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 2000);
alter table studio_session alter column content set storage external;
create index studio_session_newest
  on studio_session (account_id, user_id, updated_at desc, id desc) include (bytes);

-- An answer that a session waits for, by the Idempotency-Key of its request. The server writes it
-- when the request has ended, whether or not a page still reads it.
create table studio_answer (
  session_id text not null references studio_session on delete cascade,
  order_key text not null,
  account_id text not null,
  user_id text not null,
  -- Null until the request has ended.
  request_id text,
  -- Encrypted as above.
  answer bytea,
  primary key (session_id, order_key)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 2000);
alter table studio_answer alter column answer set storage external;
create index studio_answer_order on studio_answer (account_id, user_id, order_key);
