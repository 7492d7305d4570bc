-- Who ordered in the playground is kept where a hold followed: member budgets and usage are counted
-- by it.
create or replace function playground_operation_kept() returns trigger
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  -- A hold that is under way is committed before the look.
  perform from wallet where account_id = old.account_id for update;
  if exists (select from request_known where id = old.operation_id) then return null; end if;
  return old;
end
$$;

create or replace trigger playground_operation_kept before delete on playground_operation
  for each row execute function playground_operation_kept();
