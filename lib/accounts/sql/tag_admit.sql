-- Notes the tags of a request among those of the account in a month, where they are new. Null: all
-- are noted. Else nothing is, and the answer names what would be too many: 'n' and a name, or 'v'
-- and the name whose values are. One at a time of an account, so that the counts are exact.
create or replace function tag_admit(
  account text, in_month date, names text[], given text[], names_max integer, values_max integer
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  fresh text[];
  refused text;
begin
  perform pg_advisory_xact_lock(7340214, hashtext(account));
  fresh := array(select n from unnest(names) n where not exists (
    select from tag_name t where t.account_id = account and t.month = in_month and t.name = n));
  if cardinality(fresh) > 0 and cardinality(fresh) + (select count(*) from tag_name t
        where t.account_id = account and t.month = in_month) > names_max then
    return 'n' || fresh[1];
  end if;
  select t.name into refused
    from unnest(names, given) g(name, value)
    join tag_name t on t.account_id = account and t.month = in_month and t.name = g.name
   where t.value_count >= values_max and not exists (
     select from tag_value v where v.account_id = account and v.month = in_month
       and v.name = g.name and v.value = g.value)
   limit 1;
  if found then return 'v' || refused; end if;
  insert into tag_name (account_id, month, name) select account, in_month, n from unnest(fresh) n;
  with added as (
    insert into tag_value (account_id, month, name, value)
      select account, in_month, g.name, g.value from unnest(names, given) g(name, value)
      on conflict do nothing returning name
  )
  update tag_name t set value_count = t.value_count + 1 from added
    where t.account_id = account and t.month = in_month and t.name = added.name;
  return null;
end
$$;
