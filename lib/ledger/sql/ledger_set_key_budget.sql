-- Sets a key's budget, or lifts it with null; what the key spent and holds so far counts. False:
-- the account has no such key.
create or replace function ledger_set_key_budget(key text, account text, new_budget bigint)
returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  return ledger_set_key_limit(key, account, 'lifetime', new_budget, null);
end
$$;
