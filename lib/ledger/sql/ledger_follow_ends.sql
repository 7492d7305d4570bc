-- Notes ended requests for the sums, and apart those whose piece was announced to the sealer. The
-- wallets are locked: the sealer announces first and then waits for the transactions under way.
create or replace function ledger_follow_ends(
  everyone text[], payers integer[], places integer[], ended uuid[]
) returns void language plpgsql as $$
declare
  announced constant uuid := (select h.announced from ledger_seal_head h);
begin
  insert into usage_waiting (operation_id, account_id)
    select u.id, everyone[payers[u.place]] from unnest(ended, places) u(id, place);
  if announced > any(ended) then
    insert into ledger_apart (operation_id, created_at)
      select r.id, r.created_at from request r where r.id = any(ended) and r.id < announced
      on conflict (operation_id) do nothing;
  end if;
end
$$;
