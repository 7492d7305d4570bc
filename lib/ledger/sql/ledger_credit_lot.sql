-- Adds points that end, once per kind and ref. Answers as ledger_credit.
create or replace function ledger_credit_lot(
  account text, entry_kind text, entry_ref text, entry_amount bigint, entry_reason text,
  entry_actor text, ends timestamptz
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  answer text;
begin
  if entry_kind in ('clawback', 'expiry', 'adjust_down') then
    raise exception 'ledger_credit_lot: % adds no points', entry_kind
      using errcode = 'integrity_constraint_violation';
  end if;
  perform from wallet where account_id = account for update;
  if not found then return 'w'; end if;
  perform ledger_fold_lots(account);
  answer :=
    ledger_credit(account, entry_kind, entry_ref, entry_amount, entry_reason, entry_actor);
  if answer not like 'd%' then return answer; end if;
  insert into point_lot_mark select account, debits_posted from wallet where account_id = account
    on conflict do nothing;
  insert into point_lot (account_id, entry_id, source, amount, left_amount, ends_at)
    values (account, split_part(substr(answer, 2), ':', 1)::bigint, split_part(entry_ref, ':', 1),
      entry_amount, entry_amount, ends);
  return answer;
end
$$;
