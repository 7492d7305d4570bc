-- Accounts, the people who sign in to them, and their keys.

-- Accounts with terms of their own: a multiplier of the prices, and the models that they may use.
create table account_group (
  id text primary key,
  name text not null,
  -- Of prices, in millionths: 1000000 is the list price; null for it too.
  multiplier_ppm integer,
  -- The models that its accounts may use; empty for all.
  models text[] not null default '{}',
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint account_group_id check (id ~ '^grp_[0-9a-z]{1,60}$'),
  constraint account_group_name check (length(name) between 1 and 60 and name = btrim(name)),
  constraint account_group_multiplier_ppm check (multiplier_ppm between 1 and 100000000),
  constraint account_group_models check (cardinality(models) <= 200
    and array_position(models, null) is null)
);
-- Two groups that differ only in capital letters would be mistaken for each other.
create unique index account_group_name_once on account_group (lower(name));

-- Who holds points and is charged. Its points are in its wallet.
create table account (
  id text primary key,
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  -- As own_multiplier_ppm, with 1000000 where that is null: a trigger keeps both alike.
  multiplier_ppm integer not null default 1000000 check (multiplier_ppm between 1 and 100000000),
  created_at timestamptz not null default now(),
  -- Micropoints that it was given when it was opened; `welcome_withheld` says why it got none.
  welcome_points bigint not null default 0 check (welcome_points between 0 and 1000000000000000),
  -- When its user first proved to be a person.
  opened_at timestamptz,
  -- Micropoints below which it is told that its balance is low, or days that are left; null: never.
  low_balance_notice bigint check (low_balance_notice between 1 and 1000000000000000),
  suspended_at timestamptz,
  suspended_reason text check (length(suspended_reason) between 1 and 500),
  -- Of new keys that name no limit; null: the installation's default.
  key_requests_per_minute integer check (key_requests_per_minute between 1 and 1000000),
  -- Whether a retry without an idempotency key joins the order that it repeats.
  joins_retries boolean not null default true,
  welcome_withheld text,
  low_balance_days smallint default 3 check (low_balance_days between 1 and 90),
  -- The end of the link by which others may come.
  referral_code text not null default substr(md5(gen_random_uuid()::text), 1, 16),
  group_id text references account_group,
  -- Of prices, in millionths; null: that of its group, or the list price.
  own_multiplier_ppm integer,
  name text check (length(name) between 1 and 80),
  constraint account_welcome_withheld check (welcome_withheld in ('address', 'domain',
    'unverified')),
  constraint account_referral_code check (referral_code ~ '^[0-9a-f]{16}$'),
  constraint account_own_multiplier_ppm check (own_multiplier_ppm between 1 and 100000000)
);
create unique index account_referral_code_key on account (referral_code);
create index account_group_member on account (group_id) where group_id is not null;

-- The multiplier of an account for one model, in place of its own.
create table account_model_multiplier (
  account_id text not null references account,
  model text not null,
  multiplier_ppm integer not null check (multiplier_ppm between 1 and 100000000),
  primary key (account_id, model)
);

-- A person who signs in. Everything that is the person's alone goes with the row.
create table "user" (
  id text primary key,
  -- The account that was opened for this user.
  account_id text not null references account,
  email text not null unique check (email = lower(email)),
  email_verified_at timestamptz,
  name text,
  image text,
  -- Argon2id; null for who never set one.
  password_hash text,
  is_operator boolean not null default false,
  -- Sessions of an earlier one have ended.
  session_version integer not null default 1,
  created_at timestamptz not null default now(),
  -- Kept by triggers of user_totp and passkey.
  has_second_factor boolean not null default false,
  locale text check (locale in ('en', 'zh-CN'))
);
create index user_account on "user" (account_id);

-- An account at another service with which a user signs in.
create table user_identity (
  provider text not null,
  provider_account_id text not null,
  user_id text not null references "user" on delete cascade,
  created_at timestamptz not null default now(),
  primary key (provider, provider_account_id)
);
create index user_identity_user on user_identity (user_id);

-- Who may act for an account, and as what. Exactly one member is its owner.
create table account_member (
  account_id text not null references account,
  user_id text not null references "user" on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer', 'billing')),
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);
create index account_member_user on account_member (user_id, account_id);
create unique index account_member_one_owner on account_member (account_id) where role = 'owner';

-- Invitations to an account: single use, for seven days. Only the hash of the token is kept.
create table account_invitation (
  id text primary key,
  account_id text not null references account,
  role text not null check (role in ('admin', 'developer', 'viewer', 'billing')),
  -- Null for a link that anyone who has it may use; otherwise only a user with this verified
  -- address.
  email text check (email = lower(email) and length(email) <= 254),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text,
  revoked_at timestamptz,
  constraint account_invitation_ends_once check (accepted_at is null or revoked_at is null),
  constraint account_invitation_accepted check ((accepted_at is null) = (accepted_by is null))
);
create index account_invitation_account on account_invitation (account_id, created_at desc);

-- A link for one sign-up; only the hash of its code is kept.
create table invite (
  id text primary key,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  note text check (length(note) between 1 and 200),
  -- Micropoints in place of the welcome grant; null: the welcome grant.
  points bigint check (points between 0 and 1000000000000000),
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz,
  used_account_id text references account,
  check ((used_at is null) = (used_account_id is null))
);
create index invite_created on invite (created_at desc, id desc);

-- One row per session that goes on; the token alone signs in, so a missing row ends nothing.
create table user_session (
  id text primary key,
  user_id text not null references "user" on delete cascade,
  -- Of the user when it began; sessions of an earlier one have ended.
  session_version integer not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text check (length(address) <= 100),
  user_agent text check (length(user_agent) <= 300),
  -- When the person last proved who it is: some changes want that to be recent.
  proved_at timestamptz not null default now(),
  -- The account that it shows; null: the user's own.
  account_id text
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, fillfactor = 80);
create index user_session_user on user_session (user_id, created_at);
create index user_session_expiry on user_session (expires_at);

-- Sessions signed out before their time; rows may go once the session would have expired.
create table ended_session (
  id text primary key,
  expires_at timestamptz not null
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index ended_session_expiry on ended_session (expires_at);

-- One of each kind for a user, so that a new link replaces the older one. Only the hash of the
-- token is kept.
create table user_link (
  user_id text not null references "user" on delete cascade,
  kind text not null check (kind in ('reset', 'email', 'undo')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- `email`: the address to confirm. `undo`: the address to go back to.
  email text check (email = lower(email) and length(email) <= 254),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind),
  check ((email is null) = (kind = 'reset'))
);
create index user_link_expiry on user_link (expires_at);
create index user_link_email on user_link (email) where kind = 'undo';

-- Links for signing in by mail, written by the sign-in library. Only the hash is kept.
create table verification_token (
  identifier text not null,
  token_hash text not null unique,
  expires_at timestamptz not null,
  primary key (identifier, token_hash)
);

-- Failed sign-ins, by what was tried and from where: so that guessing is slowed. Removed by age.
create table sign_in_failure (
  id bigint generated always as identity primary key,
  -- The address that was tried, or where from.
  subject text not null,
  at timestamptz not null default now()
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index sign_in_failure_subject on sign_in_failure (subject, at);
create index sign_in_failure_at on sign_in_failure (at);

-- A user's secret of an app for codes.
create table user_totp (
  user_id text primary key references "user" on delete cascade,
  -- Under a key derived from RELAY_SECRET: nonce (12 bytes), ciphertext, tag.
  sealed bytea not null check (octet_length(sealed) between 29 and 200),
  -- Null until the person has shown that the app makes the right codes.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. No code of it, or of an earlier one, is accepted
  -- again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- A used code is removed.
create table recovery_code (
  user_id text not null references "user" on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

-- A user's passkeys: the public keys by which an authenticator is recognised.
create table passkey (
  id text primary key,
  user_id text not null references "user" on delete cascade,
  credential_id text not null unique check (length(credential_id) between 1 and 1400),
  public_key bytea not null check (octet_length(public_key) between 1 and 2000),
  -- Of the authenticator; zero where it does not count.
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}' check (cardinality(transports) <= 10),
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_user on passkey (user_id, created_at);

-- The keys with which programs call the relay. Only the hash of a key is kept; the hint is shown.
create table api_key (
  id text primary key,
  account_id text not null references account,
  name text not null check (length(name) between 1 and 80),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  hint text not null check (length(hint) <= 20),
  requests_per_minute integer not null default 60 check (requests_per_minute between 1 and 1000000),
  -- The models that it may call; empty for all.
  models text[] not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Micropoints an hour above which it is paused; null: never.
  hourly_spend_max bigint check (hourly_spend_max between 1 and 1000000000000000),
  paused_at timestamptz,
  -- What it had spent within the hour when it was paused.
  paused_spend bigint check (paused_spend >= 0),
  -- Addresses and networks that it may be used from; empty for all.
  allowed_addresses text[] not null default '{}',
  -- The user who made it. Never changes.
  created_by text,
  constraint api_key_paused_has_spend check ((paused_at is null) = (paused_spend is null)),
  constraint api_key_allowed_addresses check (cardinality(allowed_addresses) <= 50)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500, fillfactor = 80);
create index api_key_account on api_key (account_id, created_at);
create index api_key_watched on api_key (last_used_at)
  where hourly_spend_max is not null and paused_at is null and revoked_at is null;
create index api_key_maker on api_key (account_id, created_by);

-- What a watched key had been charged on a UTC day up to a moment: what it spent since is the days'
-- sums less this.
create table api_key_spend_mark (
  api_key_id text not null references api_key,
  at timestamptz not null default now(),
  day date not null,
  day_amount bigint not null check (day_amount >= 0),
  primary key (api_key_id, at)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);

-- Keys for programs that manage an account by API. They call no model.
create table management_key (
  id text primary key,
  account_id text not null references account,
  name text not null check (length(name) between 1 and 80),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  hint text not null check (length(hint) <= 24),
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_by text,
  constraint management_key_scopes_check check (cardinality(scopes) > 0
    and scopes <@ array['keys:read', 'keys:write', 'points:read', 'points:write', 'usage:read',
    'account:write', 'webhooks:read', 'webhooks:write', 'members:read', 'members:write'])
);
create index management_key_account on management_key (account_id, created_at);

-- Keys for programs that do what an operator does. They end with the operator's role.
create table operator_key (
  id text primary key,
  user_id text not null references "user" on delete cascade,
  name text not null check (length(name) between 1 and 80),
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  hint text not null check (length(hint) <= 24),
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint operator_key_scopes_check check (cardinality(scopes) > 0
    and scopes <@ array['accounts:read', 'accounts:write', 'points:write', 'usage:read',
    'money:read', 'operations:write', 'channels:read', 'channels:write', 'prices:read',
    'prices:write', 'models:read', 'models:write', 'settings:read', 'settings:write',
    'notices:write', 'audit:read'])
);
create index operator_key_user on operator_key (user_id, created_at);

-- Welcome points given lately, by the address and the mail domain of who got them; rows older than
-- a day are removed.
create table welcome_grant (
  id bigint generated always as identity primary key,
  account_id text not null references account (id) on delete cascade,
  -- The network of the address.
  address_group text not null check (length(address_group) <= 100),
  mail_domain text check (length(mail_domain) <= 254),
  at timestamptz not null default now()
);
create index welcome_grant_address on welcome_grant (address_group, at);
create index welcome_grant_domain on welcome_grant (mail_domain, at);
create index welcome_grant_at on welcome_grant (at);
