-- A histogram with one entry for each step. Most hours of an account have one request: those take
-- the short way.
create or replace function usage_histogram(entries bigint[]) returns bigint[]
language plpgsql immutable parallel safe as $$
begin
  if cardinality(entries) < 2 then return array_remove(entries, null); end if;
  return (select coalesce(array_agg(n * 512 + step order by step), '{}')
    from (select e & 511 as step, sum(e >> 9)::bigint as n from unnest(entries) e
      where e is not null group by 1) steps);
end
$$;
