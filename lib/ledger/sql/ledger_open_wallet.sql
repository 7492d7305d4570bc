-- Opens an account's wallet, with no points; changes nothing if it is there.
create or replace function ledger_open_wallet(account text) returns void
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into wallet (account_id) values (account) on conflict do nothing;
end
$$;
