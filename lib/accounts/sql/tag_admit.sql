-- Notes the tags of a request among those of the account in a month, where they are new. Null: all
-- are noted. Else nothing is, and the answer names what would be too many: 'n' and a name, or 'v'
-- and the name whose values are. A new one counts for its sender, a key or a user: each may add the
-- given number, a person with all keys twice as many, and the account has four times as many. So
-- nobody uses up what others need. One at a time of an account, so that the counts are exact.
create or replace function tag_admit(
  account text, in_month date, names text[], given text[], names_max integer, values_max integer,
  by_whom text default null
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  maker text := coalesce((select k.created_by from api_key k where k.id = by_whom), by_whom);
  fresh text[];
  refused text;
begin
  perform pg_advisory_xact_lock(7340214, hashtext(account));
  fresh := array(select n from unnest(names) n where not exists (
    select from tag_name t where t.account_id = account and t.month = in_month and t.name = n));
  if cardinality(fresh) > 0 and 4 * names_max < (
      select greatest(4 * (added + count(*) filter (where t.sender = by_whom)),
             2 * (added + count(*) filter (where t.person = maker)), added + count(*))
        from cardinality(fresh) added left join tag_name t
          on t.account_id = account and t.month = in_month group by added) then
    return 'n' || fresh[1];
  end if;
  select t.name into refused
    from unnest(names, given) g(name, value)
    join tag_name t on t.account_id = account and t.month = in_month and t.name = g.name
   where t.value_count >= values_max and not exists (
     select from tag_value v where v.account_id = account and v.month = in_month
       and v.name = g.name and v.value = g.value)
     and 4 * values_max <= (
       select greatest(4 * count(*) filter (where v.sender = by_whom),
              2 * count(*) filter (where v.person = maker), count(*))
         from tag_value v where v.account_id = account and v.month = in_month and v.name = g.name)
   limit 1;
  if found then return 'v' || refused; end if;
  insert into tag_name (account_id, month, name, sender, person)
    select account, in_month, n, by_whom, maker from unnest(fresh) n;
  with added as (
    insert into tag_value (account_id, month, name, value, sender, person)
      select account, in_month, g.name, g.value, by_whom, maker
        from unnest(names, given) g(name, value)
      on conflict do nothing returning name
  )
  update tag_name t set value_count = t.value_count + 1 from added
    where t.account_id = account and t.month = in_month and t.name = added.name;
  return null;
end
$$;
