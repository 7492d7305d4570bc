-- Adds a partition for the ids from `starts` to before `below`. Rows that came with an id of that
-- time before its partition was there are in the default one, and are moved.
create or replace function ledger_add_partition(parent text, part text, starts uuid, below uuid)
returns void language plpgsql as $$
declare
  key text := case parent when 'operation' then 'id' else 'operation_id' end;
  stray text := parent || '_default';
  is_stray boolean;
begin
  -- Of the schema, since the owner's functions look for names elsewhere first.
  execute format('create table public.%I'
    ' (like %I including defaults including constraints including storage)', part, parent);
  -- Readers of the table wait behind this lock, which is why it is not waited for long.
  execute format('lock table %I in access exclusive mode', stray);
  execute format('select exists (select from %I where %I >= $1 and %I < $2)', stray, key, key)
    into is_stray using starts, below;
  if is_stray then
    execute format('alter table %I disable trigger user', stray);
    execute format('with moved as (delete from %I where %I >= $1 and %I < $2 returning *)'
      ' insert into %I select * from moved', stray, key, key, part) using starts, below;
    execute format('alter table %I enable trigger user', stray);
  end if;
  perform ledger_guard_partition(part);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
    starts, below);
end
$$;
