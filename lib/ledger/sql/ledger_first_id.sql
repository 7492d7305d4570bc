-- Below every id that is made at this moment or later, and above every earlier one
-- (firstOperationId in lib/crypto/ids.ts).
create or replace function ledger_first_id(moment timestamptz) returns uuid
language sql stable parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0')
    || '70008000000000000000')::uuid
$$;
