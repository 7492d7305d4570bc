-- Adds (or for the kinds of `takes` takes) points once per kind and ref. Answers
-- d<entry>:<amount> done · s<entry>:<amount> was done before · i<available> insufficient · w no
-- wallet · o another account had it.
create or replace function ledger_credit(
  account text, entry_kind text, entry_ref text, entry_amount bigint, entry_reason text,
  entry_actor text
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  available bigint;
  takes boolean := entry_kind in ('clawback', 'expiry', 'adjust_down');
  done text;
  entry bigint;
begin
  select credits_posted - debits_posted - debits_pending into available from wallet
    where account_id = account for update;
  if not found then return 'w'; end if;
  select case when account_id = account then 's' || id || ':' || amount else 'o' end into done
    from ledger_entry where kind = entry_kind and ref = entry_ref;
  if found then return done; end if;
  if takes and available < entry_amount then return 'i' || available; end if;
  insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
    values (account, entry_kind, entry_ref, entry_amount, entry_reason, entry_actor) returning id
      into entry;
  update wallet set credits_posted = credits_posted + case when takes then 0 else entry_amount end,
    debits_posted = debits_posted + case when takes then entry_amount else 0 end,
    version = version + 1
    where account_id = account;
  return 'd' || entry || ':' || entry_amount;
end
$$;
