-- The user who ordered an operation; null where nobody is known.
create or replace function ledger_member(operation_id uuid, key text) returns text
language sql stable as $$
  select case when $2 is null then (select p.user_id from playground_operation p
    where p.operation_id = $1)
    else (select k.created_by from api_key k where k.id = $2) end
$$;
