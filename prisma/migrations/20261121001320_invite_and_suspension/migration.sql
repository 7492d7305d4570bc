-- Why an account is suspended, what its new keys may do, and links that let someone in where sign-up is by invitation.

alter table account
  add column suspended_at timestamptz,
  add column suspended_reason text check (length(suspended_reason) between 1 and 500),
  -- Of new keys that name no limit; null: the installation's default.
  add column key_requests_per_minute integer check (key_requests_per_minute between 1 and 1000000);

-- A link for one sign-up; only the hash of its code is kept.
create table invite (
  id              text primary key,
  code_hash       bytea not null unique check (octet_length(code_hash) = 32),
  note            text check (length(note) between 1 and 200),
  -- Micropoints in place of the welcome grant; null: the welcome grant.
  points          bigint check (points between 0 and 1000000000000000),
  created_by      text not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  revoked_at      timestamptz,
  used_at         timestamptz,
  used_account_id text references account,
  check ((used_at is null) = (used_account_id is null))
);
create index invite_created on invite (created_at desc, id desc);
