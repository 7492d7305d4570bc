-- Further ways for people to prove who they are: codes of an authenticator app, recovery codes, and passkeys.

alter table "user" add column has_second_factor boolean not null default false;

create table user_totp (
  user_id      text primary key references "user" on delete cascade,
  -- Under a key derived from RELAY_SECRET: nonce (12 bytes), ciphertext, tag.
  sealed       bytea not null check (octet_length(sealed) between 29 and 200),
  -- Null until the person has shown that the app makes the right codes.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. No code of it, or of an earlier one, is accepted again.
  last_step    bigint not null default 0,
  created_at   timestamptz not null default now()
);

-- A used code is removed.
create table recovery_code (
  user_id   text not null references "user" on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

create table passkey (
  id            text primary key,
  user_id       text not null references "user" on delete cascade,
  credential_id text not null unique check (length(credential_id) between 1 and 1400),
  public_key    bytea not null check (octet_length(public_key) between 1 and 2000),
  -- Of the authenticator; zero where it does not count.
  counter       bigint not null check (counter >= 0),
  transports    text[] not null default '{}' check (cardinality(transports) <= 10),
  name          text not null check (length(name) between 1 and 80),
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index passkey_user on passkey (user_id, created_at);

-- Whether a user has a factor is read with every session, so it stands beside the user.
create function second_factor_changed() returns trigger language plpgsql as $$
declare changed text := coalesce(new.user_id, old.user_id);
begin
  -- In a statement of its own: the next one then sees what a change that held this row has written.
  perform from "user" where id = changed for no key update;
  update "user" set has_second_factor = exists (select from user_totp where user_id = changed and confirmed_at is not null)
      or exists (select from passkey where user_id = changed) where id = changed;
  return null;
end $$;
-- Not after other updates: one that holds a row of user_totp and then waits for its user would meet a change of
-- factors, which holds the user first.
create trigger second_factor_changed after insert or update of confirmed_at or delete on user_totp for each row execute function second_factor_changed();
create trigger second_factor_changed after insert or delete on passkey for each row execute function second_factor_changed();
