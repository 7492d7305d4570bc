-- Moves holds that ended to their charges, in the wallets that are locked at `spots`.
create or replace function ledger_charge(
  spots tid[], payers integer[], places integer[], holds bigint[], charges bigint[]
) returns void language plpgsql as $$
declare
  changed integer;
  due integer;
begin
  with t as (
    select payers[u.place] as payer, sum(u.hold)::bigint as held, sum(u.charge)::bigint as charged,
           count(*)::integer as holds
      from unnest(places, holds, charges) u(place, hold, charge) group by 1
  ), moved as (
    update wallet w set debits_pending = w.debits_pending - t.held,
        debits_posted = w.debits_posted + t.charged, open_holds = w.open_holds - t.holds,
        version = w.version + 1
      from t where w.ctid = spots[t.payer] returning w.ctid
  )
  select (select count(*) from moved), (select count(*) from t) into changed, due;
  if changed <> due then raise exception 'end: % wallets instead of %', changed, due; end if;
end
$$;
