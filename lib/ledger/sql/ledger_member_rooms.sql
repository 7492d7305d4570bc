-- What is left of each budget of the members who order these holds, under one word for each member;
-- a window that is over begins anew, and what was opened in it will end without touching the new
-- one. Called under the wallets' locks, as the next two.
create or replace function ledger_member_rooms(holds json, moment timestamptz)
returns table (member text, kind text, place integer, budget bigint, room bigint, ends bigint)
language plpgsql as $$
begin
  update member_budget b set (starts_at, ends_at, spent, held) =
    (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0
      from ledger_key_window(b.kind, b.zone, moment) w)
    from (select distinct x.account, ledger_member(x.id, x.key) as user_id
      from json_to_recordset(holds) as x(id uuid, account text, key text)) m
    where b.account_id = m.account and b.user_id = m.user_id and b.ends_at <= moment;
  return query
    select b.account_id || ' ' || b.user_id, 'member_' || b.kind,
      array_position(array['month', 'week', 'day'], b.kind), b.budget, b.budget - b.spent - b.held,
      ceil(extract(epoch from b.ends_at))::bigint
      from member_budget b
      join (select distinct x.account, ledger_member(x.id, x.key) as user_id
        from json_to_recordset(holds) as x(id uuid, account text, key text)) m
        on m.account = b.account_id and m.user_id = b.user_id;
end
$$;
