-- Locks the wallet, takes out of its account's lots what was spent since their last event, and
-- answers what open requests hold. Between two events the order of lots is fixed, so the sum is
-- enough. What lots do not cover was of points without an end.
create or replace function ledger_fold_lots(account text) returns bigint
language plpgsql as $$
declare
  posted bigint;
  pending bigint;
  spent bigint;
begin
  select debits_posted, debits_pending into strict posted, pending from wallet
    where account_id = account for update;
  select posted - debits_folded into spent from point_lot_mark where account_id = account;
  if spent > 0 then
    update point_lot l set left_amount = greatest(0, least(l.left_amount, o.upto - spent))
      from (select id, sum(left_amount) over (order by ends_at, id) as upto from point_lot
        where account_id = account and left_amount > 0) o
      where l.id = o.id and o.upto - l.left_amount < spent;
    update point_lot_mark set debits_folded = posted where account_id = account;
  end if;
  return pending;
end
$$;
