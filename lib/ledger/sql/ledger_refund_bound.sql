-- Whatever writes them: the refunds of one charge are together never more than the charge, and go
-- to its account.
create or replace function ledger_refund_bound() returns trigger language plpgsql as $$
declare
  charged bigint;
  refunded bigint;
begin
  -- Refunds of one request come one after another; what is read below is what they left.
  perform from wallet where account_id = new.account_id for update;
  select amount into charged from request
    where id = new.operation_id and account_id = new.account_id;
  select coalesce(sum(amount), 0) into refunded from ledger_entry
    where operation_id = new.operation_id;
  if charged is null or refunded + new.amount > charged then
    raise exception 'ledger_entry: a refund of % exceeds what is left of the charge', new.amount
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$$;

create or replace trigger ledger_entry_refund_bound before insert on ledger_entry
  for each row when (new.operation_id is not null)
  execute function ledger_refund_bound();
