-- Notes apart those of the requests ended now that came late: the sealer has announced that it
-- reads up to their ids. A later piece takes them.
create or replace function ledger_set_apart(ended uuid[]) returns void language sql as $$
  insert into ledger_apart (operation_id, created_at)
    select r.id, r.created_at from request r, ledger_seal_head h
     where r.id = any(ended) and r.id < h.announced
    on conflict (operation_id) do nothing
$$;
