-- Refunds of charges: a refund names the operation whose charge it gives back, and all refunds of one never exceed it.

alter table ledger_entry
  add column operation_id uuid constraint ledger_entry_refunded_operation references operation,
  add constraint ledger_entry_refund_of check (operation_id is null or kind = 'refund');
create index ledger_entry_operation on ledger_entry (operation_id) where operation_id is not null;

create function ledger_refund_bound() returns trigger language plpgsql as $$
declare
  charged bigint;
  refunded bigint;
begin
  -- Refunds of one operation come one after another; what is read below is what they left.
  perform from wallet where account_id = new.account_id for update;
  select amount into charged from settlement where operation_id = new.operation_id and account_id = new.account_id;
  select coalesce(sum(amount), 0) into refunded from ledger_entry where operation_id = new.operation_id;
  if charged is null or refunded + new.amount > charged then
    raise exception 'ledger_entry: a refund of % exceeds what is left of the charge', new.amount using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger ledger_entry_refund_bound before insert on ledger_entry for each row
  when (new.operation_id is not null) execute function ledger_refund_bound();

-- Gives back a charge, whole (null) or in part, once per ref. Answers d<entry>:<amount>:<account> done · s<entry>:<amount>:<account> was done
-- before · x<left> more than is left of the charge · n no charge · o the ref refunded something else.
create function ledger_refund(operation uuid, entry_ref text, entry_amount bigint, entry_reason text, entry_actor text) returns text
language plpgsql as $$
declare
  account text;
  charged bigint;
  remaining bigint;
  done text;
  entry bigint;
begin
  select account_id, amount into account, charged from settlement where operation_id = operation and outcome = 'settled';
  if not found then return 'n'; end if;
  perform from wallet where account_id = account for update;
  select case when operation_id = operation then 's' || id || ':' || amount || ':' || account_id else 'o' end into done
    from ledger_entry where kind = 'refund' and ref = entry_ref;
  if found then return coalesce(done, 'o'); end if;
  select charged - coalesce(sum(amount), 0) into remaining from ledger_entry where operation_id = operation;
  entry_amount := coalesce(entry_amount, remaining);
  if entry_amount < 1 or entry_amount > remaining then return 'x' || remaining; end if;
  insert into ledger_entry (account_id, kind, ref, amount, reason, actor, operation_id)
    values (account, 'refund', entry_ref, entry_amount, entry_reason, entry_actor, operation) returning id into entry;
  update wallet set credits_posted = credits_posted + entry_amount, version = version + 1 where account_id = account;
  return 'd' || entry || ':' || entry_amount || ':' || account;
end $$;
