-- Adds what these operations, opened in this transaction, hold.
create or replace function ledger_member_hold(ids uuid[]) returns void language plpgsql as $$
begin
  update member_budget b set held = b.held + t.held
    from (select o.account_id, ledger_member(o.id, o.api_key_id) as user_id,
      sum(o.hold_amount)::bigint as held
      from operation o where o.id = any(ids) group by 1, 2) t
    where b.account_id = t.account_id and b.user_id = t.user_id;
end
$$;
