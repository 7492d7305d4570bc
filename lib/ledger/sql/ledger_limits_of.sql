-- The limits of one request, in the order in which they are asked: of its key those that last
-- longest first, then of its member, then of its tags. `ends` is in seconds since 1970. `whose` is
-- empty for the key's; a tag is named by the hexadecimal digits of its name and its value.
create or replace function ledger_limits_of(account text, key text, member text, tags jsonb)
returns table (kind text, period text, whose text, budget bigint, room bigint, ends bigint)
language sql stable as $$
  select l.kind, l.period, l.whose, l.budget, l.room,
         ceil(extract(epoch from l.ends_at))::bigint
    from (
      select 1 as place, b.kind, b.kind as period, '' as whose, b.budget,
             b.budget - b.spent - b.held as room, b.ends_at
        from api_key_budget b where b.api_key_id = key
      union all
      select 2, 'member_' || b.kind, b.kind, ':member', b.budget, b.budget - b.spent - b.held,
             b.ends_at
        from member_budget b where b.account_id = account and b.user_id = member
      union all
      select 3, 'tag_' || b.kind, b.kind, ':tag:' || encode(convert_to(b.name, 'UTF8'), 'hex')
               || ':' || encode(convert_to(b.value, 'UTF8'), 'hex'),
             b.budget, b.budget - b.spent - b.held, b.ends_at
        from tag_budget b where b.account_id = account and b.value = tags ->> b.name
    ) l
   order by l.place,
     array_position(array['lifetime', 'month', 'week', 'day', 'running', 'tokens'], l.period),
     l.whose
$$;
