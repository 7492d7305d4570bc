-- Counts holds that were granted in the limits of their keys, members and tags. Returns their
-- answers: 'h' and the amount; then, where there are limits besides a lifetime budget, each with
-- the room that it has left after the batch. Rooms of tags are not told.
create or replace function ledger_book_limits(
  everyone text[], payers integer[], keys text[], members text[], tags jsonb[], granted bigint[]
) returns text[] language plpgsql as $$
begin
  update api_key_budget b
     set held = b.held + case b.kind when 'running' then t.holds else t.held end
    from (select u.key, sum(u.amount)::bigint as held, count(*) as holds
            from unnest(keys, granted) u(key, amount) where u.amount is not null group by 1) t
   where b.api_key_id = any(keys) and b.api_key_id = t.key and b.kind <> 'tokens';
  if members is not null then
    update member_budget b set held = b.held + t.held
      from (select u.payer, u.member, sum(u.amount)::bigint as held
              from unnest(payers, members, granted) u(payer, member, amount)
             where u.amount is not null group by 1, 2) t
     where b.account_id = any(everyone) and b.account_id = everyone[t.payer]
       and b.user_id = t.member;
  end if;
  if tags is not null then
    update tag_budget b set held = b.held + t.held
      from (select u.payer, x.key, x.value, sum(u.amount)::bigint as held
              from unnest(payers, tags, granted) u(payer, tags, amount), jsonb_each_text(u.tags) x
             where u.amount is not null group by 1, 2, 3) t
     where b.account_id = any(everyone) and b.account_id = everyone[t.payer]
       and b.name = t.key and b.value = t.value;
  end if;
  return array(
    select 'h' || u.amount || (
        select case when bool_or(l.kind <> 'lifetime')
                    then string_agg(':' || l.kind || '=' || l.room, '' order by l.n) else '' end
          from ledger_limits_of(everyone[u.payer], u.key, u.member, null) with ordinality
            as l(kind, period, whose, budget, room, ends, n))
      from unnest(payers, keys, members, granted) with ordinality
             as u(payer, key, member, amount, place)
     order by u.place);
end
$$;
