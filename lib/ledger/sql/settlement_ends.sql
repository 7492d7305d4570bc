-- Each end takes its operation out of the queue, whose account and hold it must have. The ids then
-- wait for the sums of usage.
create or replace function settlement_ends() returns trigger language plpgsql as $$
declare taken bigint;
begin
  delete from open_operation q using ended e
    where q.operation_id = e.operation_id and q.account_id = e.account_id
      and q.hold_amount = e.hold_amount;
  get diagnostics taken = row_count;
  if taken <> (select count(*) from ended) then
    raise exception 'settlement: no open operation with this account and hold'
      using errcode = 'foreign_key_violation', constraint = 'settlement_ends_open_operation';
  end if;
  insert into usage_waiting (operation_id, account_id) select operation_id, account_id from ended;
  return null;
end
$$;

create or replace trigger settlement_ends after insert on settlement
  referencing new table as ended for each statement execute function settlement_ends();
