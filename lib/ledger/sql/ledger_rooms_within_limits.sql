-- `rooms` without those of the accounts of which a limit does not cover all their holds in full.
create or replace function ledger_rooms_within_limits(
  everyone text[], rooms bigint[], payers integer[], keys text[], members text[], tags jsonb[],
  amounts bigint[]
) returns bigint[] language sql stable as $$
  with short as (
    select u.payer
      from unnest(payers, keys, amounts) u(payer, key, amount)
      join api_key_budget b on b.api_key_id = u.key
     group by u.payer, b.api_key_id, b.kind
    having b.budget - b.spent - b.held
             < case b.kind when 'running' then count(*) when 'tokens' then 1 else sum(u.amount) end
    union all
    select u.payer
      from unnest(payers, members, amounts) u(payer, member, amount)
      join member_budget b on b.account_id = everyone[u.payer] and b.user_id = u.member
     group by u.payer, b.account_id, b.user_id, b.kind
    having b.budget - b.spent - b.held < sum(u.amount)
    union all
    select u.payer
      from unnest(payers, tags, amounts) u(payer, tags, amount)
      join tag_budget b on b.account_id = everyone[u.payer] and b.value = u.tags ->> b.name
     group by u.payer, b.account_id, b.name, b.value, b.kind
    having b.budget - b.spent - b.held < sum(u.amount)
  )
  select array(select case when u.place <> all(array(select payer from short)) then u.room end
    from unnest(rooms) with ordinality u(room, place) order by u.place)
$$;
