-- The limits of one request, in the order in which they are asked: of its key those that last
-- longest first, then of its member. `ends` is in seconds since 1970.
create or replace function ledger_limits_of(account text, key text, member text)
returns table (kind text, period text, of_member boolean, budget bigint, room bigint, ends bigint)
language sql stable as $$
  select l.kind, l.period, l.of_member, l.budget, l.room,
         ceil(extract(epoch from l.ends_at))::bigint
    from (
      select b.kind, b.kind as period, false as of_member, b.budget,
             b.budget - b.spent - b.held as room, b.ends_at
        from api_key_budget b where b.api_key_id = key
      union all
      select 'member_' || b.kind, b.kind, true, b.budget, b.budget - b.spent - b.held, b.ends_at
        from member_budget b where b.account_id = account and b.user_id = member
    ) l
   order by l.of_member,
     array_position(array['lifetime', 'month', 'week', 'day', 'running', 'tokens'], l.period)
$$;
