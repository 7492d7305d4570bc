-- Closes an account and erases its people: names, addresses, passwords, sessions, prompts, stored
-- answers and results. What the ledger wrote stays under the account's id. Answers the number of
-- requests that still run; if there are any, nothing was changed.
create or replace function account_erase(erased text) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare running integer;
begin
  -- The ledger locks the wallet before it reads the account's status: no hold opens between this
  -- count and the end of the transaction.
  perform from wallet where account_id = erased for update;
  select count(*) into running from open_request where account_id = erased;
  if running > 0 then return running; end if;
  update account
    set status = 'closed', suspended_at = null, suspended_reason = null, low_balance_notice = null,
    content_days = null
    where id = erased;
  delete from verification_token
    where identifier in (select email from "user" where account_id = erased);
  delete from "user" where account_id = erased;
  update api_key set name = 'erased', revoked_at = coalesce(revoked_at, now())
    where account_id = erased;
  delete from studio_session where account_id = erased;
  delete from stored_response where account_id = erased;
  delete from response_account where account_id = erased;
  delete from idempotent_request where account_id = erased;
  delete from callback_delivery where account_id = erased;
  update video_task
    set spec = spec - 'prompt' - 'pictures', image_urls = '[]', callback_url = null,
    hidden_at = coalesce(hidden_at, now()),
    settings_removed_at = coalesce(settings_removed_at, now()) where account_id = erased;
  update image_result
    set spec = spec - 'prompt' - 'pictures', hidden_at = coalesce(hidden_at, now()),
    settings_removed_at = coalesce(settings_removed_at, now()) where account_id = erased;
  -- The files follow with the next removal of expired ones.
  update media set expires_at = least(expires_at, now())
    where account_id = erased and deleted_at is null;
  return 0;
end
$$;
