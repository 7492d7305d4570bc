-- Adds a partition for the ids from `starts` to before `below`. Requests with an id of that time
-- that ended before are in the default partition, and are moved.
create or replace function ledger_add_partition(part text, starts uuid, below uuid)
returns void language plpgsql as $$
declare
  is_stray boolean;
begin
  -- Of the schema, since the owner's functions look for names elsewhere first.
  execute format('create table public.%I'
    ' (like request including defaults including constraints including storage)', part);
  -- Readers of the table wait behind this lock, which is why it is not waited for long.
  lock table request_default in access exclusive mode;
  select exists (select from request_default r where r.id >= starts and r.id < below)
    into is_stray;
  if is_stray then
    alter table request_default disable trigger user;
    execute format('with moved as (delete from request_default where id >= $1 and id < $2'
      ' returning *) insert into %I select * from moved', part) using starts, below;
    alter table request_default enable trigger user;
  end if;
  perform ledger_guard_partition(part);
  execute format('alter table request attach partition %I for values from (%L) to (%L)', part,
    starts, below);
end
$$;
