-- The first and the last of the ids. A plan that looks for `ids` between them opens the partitions
-- of these ids and no others.
create or replace function ledger_id_range(ids uuid[], out first_id uuid, out last_id uuid)
language sql immutable parallel safe as $$
  select (select x from unnest(ids) x order by x limit 1),
         (select x from unnest(ids) x order by x desc limit 1)
$$;
