-- Accounts, the people who sign in, API keys, channels, prices and vouchers.

create table account (
  id             text primary key,
  status         text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  multiplier_ppm integer not null default 1000000 check (multiplier_ppm between 1 and 100000000),
  created_at     timestamptz not null default now()
);

create table account_model_multiplier (
  account_id     text not null references account,
  model          text not null,
  multiplier_ppm integer not null check (multiplier_ppm between 1 and 100000000),
  primary key (account_id, model)
);

create table "user" (
  id                text primary key,
  account_id        text not null references account,
  email             text not null unique check (email = lower(email)),
  email_verified_at timestamptz,
  name              text,
  image             text,
  password_hash     text,
  is_operator       boolean not null default false,
  session_version   integer not null default 1,
  created_at        timestamptz not null default now()
);
create index user_account on "user" (account_id);

create table user_identity (
  provider            text not null,
  provider_account_id text not null,
  user_id             text not null references "user" on delete cascade,
  created_at          timestamptz not null default now(),
  primary key (provider, provider_account_id)
);

create table verification_token (
  identifier text not null,
  token_hash text not null unique,
  expires_at timestamptz not null,
  primary key (identifier, token_hash)
);

create table sign_in_failure (
  id      bigint generated always as identity primary key,
  subject text not null,
  at      timestamptz not null default now()
);
create index sign_in_failure_subject on sign_in_failure (subject, at);

create table api_key (
  id                  text primary key,
  account_id          text not null references account,
  name                text not null check (length(name) between 1 and 80),
  key_hash            bytea not null unique check (octet_length(key_hash) = 32),
  hint                text not null check (length(hint) <= 20),
  requests_per_minute integer not null default 60 check (requests_per_minute between 1 and 1000000),
  models              text[] not null default '{}',
  created_at          timestamptz not null default now(),
  expires_at          timestamptz,
  revoked_at          timestamptz,
  last_used_at        timestamptz
);
create index api_key_account on api_key (account_id, created_at);

create table channel (
  id                  text primary key,
  name                text not null unique check (length(name) between 1 and 80),
  protocol            text not null check (protocol in ('openai', 'ark', 'relay')),
  base_url            text not null,
  credential          bytea,
  credential_nonce    bytea unique,
  models              jsonb not null,
  requests_per_second integer not null default 10 check (requests_per_second >= 0),
  requests_per_minute integer not null default 600 check (requests_per_minute >= 0),
  priority            integer not null default 0,
  weight              integer not null default 1 check (weight between 1 and 1000),
  timeout_seconds     integer check (timeout_seconds between 1 and 3600),
  is_enabled          boolean not null default true,
  created_at          timestamptz not null default now(),
  check ((credential is null) = (credential_nonce is null))
);

-- Micropoints per 1,000,000 tokens, in force from effective_at on.
create table price_version (
  id           bigint generated always as identity primary key,
  model        text not null,
  input_price  bigint not null default 0 check (input_price between 0 and 1000000000000),
  output_price bigint not null check (output_price between 0 and 1000000000000),
  effective_at timestamptz not null default now(),
  created_by   text not null,
  unique (model, effective_at)
);

create table voucher (
  id                  text primary key,
  code_hash           bytea not null unique check (octet_length(code_hash) = 32),
  points              bigint not null check (points between 1 and 1000000000000000),
  created_at          timestamptz not null default now(),
  expires_at          timestamptz,
  redeemed_at         timestamptz,
  redeemed_account_id text references account,
  check ((redeemed_at is null) = (redeemed_account_id is null))
);

-- What a running process keeps in memory of these tables is dropped at once when they change.
create function notify_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', tg_table_name || ':' || coalesce(case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end ->> 'id', ''));
  return null;
end $$;
create trigger notify_change after insert or update of status, multiplier_ppm on account for each row execute function notify_change();
create trigger notify_change after insert or update or delete on account_model_multiplier for each row execute function notify_change();
create trigger notify_change after insert or update of requests_per_minute, models, expires_at, revoked_at on api_key for each row execute function notify_change();
create trigger notify_change after insert or update or delete on channel for each row execute function notify_change();
create trigger notify_change after insert on price_version for each row execute function notify_change();
