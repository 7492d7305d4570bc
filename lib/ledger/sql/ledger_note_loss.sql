-- What the operator loses by one request: what exceeded its hold, and what its end says.
create or replace function ledger_note_loss(
  id uuid, above_hold bigint, cause text, estimate bigint, detail jsonb
) returns void language sql as $$
  insert into operator_loss (operation_id, cause, estimate, detail)
    select id, cause, estimate, detail where cause is not null
    union all
    select id, 'usage_over_hold', above_hold, null where above_hold > 0
$$;
