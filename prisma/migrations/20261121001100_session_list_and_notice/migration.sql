-- What people see of their sessions, and below which balance an account is told so.

-- One row per session that goes on; the token alone signs in, so a missing row ends nothing.
create table user_session (
  id              text primary key,
  user_id         text not null references "user" on delete cascade,
  -- Of the user when it began; sessions of an earlier one have ended.
  session_version integer not null,
  created_at      timestamptz not null default now(),
  last_seen_at    timestamptz not null default now(),
  expires_at      timestamptz not null,
  address         text check (length(address) <= 100),
  user_agent      text check (length(user_agent) <= 300)
);
create index user_session_user on user_session (user_id, created_at);
create index user_session_expiry on user_session (expires_at);

-- Micropoints; null: no notice.
alter table account add column low_balance_notice bigint check (low_balance_notice between 1 and 1000000000000000);
