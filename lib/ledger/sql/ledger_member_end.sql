-- Gives back what these operations, ended in this transaction, held, and counts what was used: in
-- the windows in which they were opened.
create or replace function ledger_member_end(ids uuid[]) returns void language plpgsql as $$
begin
  update member_budget b set held = b.held - t.held, spent = b.spent + t.used
    from (select l.account_id, l.user_id, l.kind, sum(s.hold_amount)::bigint as held,
      sum(s.amount)::bigint as used
      from settlement s join operation o on o.id = s.operation_id
      join member_budget l on l.account_id = o.account_id
        and l.user_id = ledger_member(o.id, o.api_key_id) and l.starts_at <= o.created_at
      where s.operation_id = any(ids) group by 1, 2, 3) t
    where b.account_id = t.account_id and b.user_id = t.user_id and b.kind = t.kind;
end
$$;
