-- Takes what is left of an account's lots that ended until `ended_by` and no open request holds;
-- answers how much. With a source instead, its lots end now: `share` (in millionths) of what is not
-- held, and what is, then ends at `carried_to`. Holds count in the order in which points are used;
-- what one gives back to a lot that has ended is taken when this is called again.
create or replace function ledger_expire_lots(
  account text, ended_by timestamptz, of_source text, share integer, carried_to timestamptz
) returns bigint
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  held bigint := ledger_fold_lots(account);
  upto timestamptz := least(ended_by, clock_timestamp());
  l point_lot;
  kept bigint;
  takes bigint;
  taken bigint := 0;
begin
  if (share > 0) <> (carried_to is not null) or share not between 0 and 1000000
    or num_nonnulls(ended_by, of_source) <> 1 or (share > 0 and of_source is null) then
    raise exception 'ledger_expire_lots: by % of % a share of % to %', ended_by, of_source, share,
      carried_to using errcode = 'integrity_constraint_violation';
  end if;
  for l in select * from point_lot where account_id = account and left_amount > 0
    order by ends_at, id
  loop
    kept := least(held, l.left_amount);
    held := held - kept;
    continue when case when of_source is null then l.ends_at > upto
      else l.source <> of_source end;
    takes := l.left_amount - kept;
    takes := takes - div(takes::numeric * share, 1000000)::bigint;
    update point_lot set left_amount = left_amount - takes, expired = expired + takes,
      expiries = expiries + (takes > 0)::integer,
      ends_at = coalesce(carried_to, least(ends_at, upto)) where id = l.id;
    continue when takes = 0;
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'expiry', 'lot:' || l.id || ':' || l.expiries + 1, takes,
        'End of points', 'system');
    taken := taken + takes;
  end loop;
  if taken > 0 then
    update wallet set debits_posted = debits_posted + taken, version = version + 1
      where account_id = account;
    update point_lot_mark set debits_folded = debits_folded + taken where account_id = account;
  end if;
  return taken;
end
$$;
