-- Takes points back until `due` of them are taken or lost, gives back what was taken beyond it, and
-- writes down as a loss what is certain (`certain` <= `due`) and not there to be taken. Asked again
-- with the same sums it changes nothing. Answers what it moved: taken (negative: given back) and
-- lost, as <taken>:<lost>.
create or replace function ledger_reverse(
  account text, of_ref text, due bigint, certain bigint, why text
) returns text
language plpgsql as $$
declare
  available bigint;
  r ledger_reversal;
  takes bigint := 0;
  loses bigint := 0;
begin
  if due < 0 or certain < 0 or certain > due then
    raise exception 'ledger_reverse: due % and certain % are not right', due, certain
      using errcode = 'integrity_constraint_violation';
  end if;
  select credits_posted - debits_posted - debits_pending into strict available from wallet
    where account_id = account for update;
  insert into ledger_reversal (ref, account_id) values (of_ref, account) on conflict do nothing;
  select * into strict r from ledger_reversal
    where ref = of_ref and account_id = account for update;
  takes := greatest(least(due - r.taken - r.lost, available), -r.taken);
  loses := greatest(certain - r.taken - takes - r.lost, 0);
  if takes > 0 then
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'clawback', of_ref || ':' || r.moves + 1, takes, why, 'system');
    update wallet set debits_posted = debits_posted + takes, version = version + 1
      where account_id = account;
  elsif takes < 0 then
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'adjust_up', of_ref || ':' || r.moves + 1, -takes, why, 'system');
    update wallet set credits_posted = credits_posted - takes, version = version + 1
      where account_id = account;
  end if;
  if loses > 0 then
    insert into operator_loss (cause, estimate, detail)
      values ('clawback_short', loses,
        jsonb_build_object('ref', of_ref, 'account', account, 'move', r.moves + 1));
  end if;
  if takes <> 0 or loses <> 0 then
    update ledger_reversal set taken = taken + takes, lost = lost + loses, moves = moves + 1
      where ref = of_ref;
  end if;
  return takes || ':' || loses;
end
$$;
