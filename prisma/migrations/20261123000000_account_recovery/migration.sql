-- Links sent by mail that change how a user signs in, and the end of an account.

-- One of each kind for a user, so that a new link replaces the older one. Only the hash of the token is kept.
create table user_link (
  user_id    text not null references "user" on delete cascade,
  kind       text not null check (kind in ('reset', 'email', 'undo')),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  -- `email`: the address to confirm. `undo`: the address to go back to.
  email      text check (email = lower(email) and length(email) <= 254),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind),
  check ((email is null) = (kind = 'reset'))
);
create index user_link_expiry on user_link (expires_at);
create index user_link_email on user_link (email) where kind = 'undo';

-- Closes an account and erases its people: names, addresses, passwords, sessions, prompts, stored answers and results. What the ledger
-- wrote stays under the account's id. Answers the number of requests that still run; if there are any, nothing was changed.
create function account_erase(erased text) returns integer language plpgsql as $$
declare running integer;
begin
  -- The ledger locks the wallet before it reads the account's status: no hold opens between this count and the end of the transaction.
  perform from wallet where account_id = erased for update;
  select count(*) into running from open_operation where account_id = erased;
  if running > 0 then return running; end if;
  update account set status = 'closed', suspended_at = null, suspended_reason = null, low_balance_notice = null where id = erased;
  delete from verification_token where identifier in (select email from "user" where account_id = erased);
  delete from "user" where account_id = erased;
  update api_key set name = 'erased', revoked_at = coalesce(revoked_at, now()) where account_id = erased;
  delete from stored_response where account_id = erased;
  delete from response_account where account_id = erased;
  delete from idempotent_request where account_id = erased;
  delete from callback_delivery where account_id = erased;
  update video_task set spec = spec - 'prompt' - 'pictures', image_urls = '[]', callback_url = null, hidden_at = coalesce(hidden_at, now()),
         settings_removed_at = coalesce(settings_removed_at, now()) where account_id = erased;
  update image_result set spec = spec - 'prompt' - 'pictures', hidden_at = coalesce(hidden_at, now()),
         settings_removed_at = coalesce(settings_removed_at, now()) where account_id = erased;
  -- The files follow with the next removal of expired ones.
  update media set expires_at = least(expires_at, now()) where account_id = erased and deleted_at is null;
  return 0;
end $$;
