-- Refuses changes that a row of its table never makes: what it is of stays, counts only grow, and
-- nothing is held beyond a budget.
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%: % refused by %', tg_table_name, lower(tg_op), tg_name
    using errcode = 'integrity_constraint_violation';
end
$$;

create or replace trigger wallet_starts_empty before insert on wallet
  for each row when (new.credits_posted <> 0 or new.debits_posted <> 0 or new.debits_pending <> 0
    or new.open_holds <> 0 or new.version <> 0) execute function ledger_refuse_change();
create or replace trigger wallet_only_grows before update on wallet
  for each row when (new.account_id <> old.account_id or new.version <> old.version + 1
    or new.credits_posted < old.credits_posted or new.debits_posted < old.debits_posted)
  execute function ledger_refuse_change();
create or replace trigger point_lot_only_shrinks before update on point_lot
  for each row when ((new.account_id, new.entry_id, new.source, new.amount)
    is distinct from (old.account_id, old.entry_id, old.source, old.amount)
    or new.left_amount > old.left_amount or new.expired < old.expired
    or new.left_amount + new.expired > old.left_amount + old.expired
    or new.expiries < old.expiries) execute function ledger_refuse_change();
create or replace trigger point_lot_mark_only_grows before update on point_lot_mark
  for each row when (new.account_id <> old.account_id or new.debits_folded < old.debits_folded)
  execute function ledger_refuse_change();
create or replace trigger open_request_never before update on open_request
  for each row execute function ledger_refuse_change();
create or replace trigger api_key_budget_bound before update on api_key_budget
  for each row when (new.account_id <> old.account_id or new.kind <> old.kind
    or new.starts_at is distinct from old.starts_at
    and (new.starts_at is null or new.starts_at < old.ends_at)
    or new.starts_at is not distinct from old.starts_at and new.spent < old.spent
    or new.kind <> 'tokens' and new.spent + new.held > new.budget
    and (new.starts_at is distinct from old.starts_at
    or new.spent + new.held > old.spent + old.held)) execute function ledger_refuse_change();
create or replace trigger member_budget_bound before update on member_budget
  for each row when (new.account_id <> old.account_id or new.user_id <> old.user_id
    or new.kind <> old.kind or new.starts_at <> old.starts_at and new.starts_at < old.ends_at
    or new.starts_at = old.starts_at and new.spent < old.spent or new.spent + new.held > new.budget
    and (new.starts_at <> old.starts_at or new.spent + new.held > old.spent + old.held))
  execute function ledger_refuse_change();
create or replace trigger tag_budget_bound before update on tag_budget
  for each row when ((new.account_id, new.name, new.value, new.kind)
    is distinct from (old.account_id, old.name, old.value, old.kind)
    or new.starts_at <> old.starts_at and new.starts_at < old.ends_at
    or new.starts_at = old.starts_at and new.spent < old.spent or new.spent + new.held > new.budget
    and (new.starts_at <> old.starts_at or new.spent + new.held > old.spent + old.held))
  execute function ledger_refuse_change();
create or replace trigger ledger_seal_head_only_grows before update on ledger_seal_head
  for each row when (new.announced < old.announced or new.announced_entry < old.announced_entry
    or new.announced_loss < old.announced_loss or new.below < old.below or new.piece < old.piece
    or new.entry < old.entry or new.loss < old.loss or new.seal < old.seal
    or new.hours_below < old.hours_below) execute function ledger_refuse_change();
create or replace trigger ledger_apart_once before update on ledger_apart
  for each row when (old.piece is not null or new.operation_id <> old.operation_id
    or new.created_at <> old.created_at) execute function ledger_refuse_change();
create or replace trigger api_key_maker_fixed before update of created_by on api_key
  for each row when (new.created_by is distinct from old.created_by)
  execute function ledger_refuse_change();
create or replace trigger incident_keeps before update on incident
  for each row when (pg_trigger_depth() = 0) execute function ledger_refuse_change();
create or replace trigger receipt_parties_fixed before update on receipt_parties
  for each row when (old.buyer is not null
    or (new.payment_id, new.seller, new.created_at) is distinct from (old.payment_id, old.seller,
    old.created_at)) execute function ledger_refuse_change();
create or replace trigger video_task_ends_once before update on video_task
  for each row when (new.id <> old.id or new.operation_id <> old.operation_id
    or new.account_id <> old.account_id
    or (old.status not in ('queued', 'running') and new.status <> old.status)
    or (old.status = 'running' and new.status = 'queued')) execute function ledger_refuse_change();
