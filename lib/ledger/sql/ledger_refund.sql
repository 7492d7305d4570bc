-- Gives back a charge, whole (null) or in part, once per ref. Answers d<entry>:<amount>:<account>
-- done · s<entry>:<amount>:<account> was done before · x<left> more than is left of the charge · n
-- no charge · o the ref refunded something else.
create or replace function ledger_refund(
  operation uuid, entry_ref text, entry_amount bigint, entry_reason text, entry_actor text
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  account text;
  charged bigint;
  remaining bigint;
  done text;
  entry bigint;
begin
  select account_id, amount into account, charged from request
    where id = operation and outcome = 'settled';
  if not found then return 'n'; end if;
  perform from wallet where account_id = account for update;
  select case when operation_id = operation then 's' || id || ':' || amount || ':' || account_id
    else 'o' end into done
    from ledger_entry where kind = 'refund' and ref = entry_ref;
  if found then return coalesce(done, 'o'); end if;
  select charged - coalesce(sum(amount), 0) into remaining from ledger_entry
    where operation_id = operation;
  entry_amount := coalesce(entry_amount, remaining);
  if entry_amount < 1 or entry_amount > remaining then return 'x' || remaining; end if;
  insert into ledger_entry (account_id, kind, ref, amount, reason, actor, operation_id)
    values (account, 'refund', entry_ref, entry_amount, entry_reason, entry_actor, operation)
      returning id into entry;
  update wallet set credits_posted = credits_posted + entry_amount, version = version + 1
    where account_id = account;
  return 'd' || entry || ':' || entry_amount || ':' || account;
end
$$;
