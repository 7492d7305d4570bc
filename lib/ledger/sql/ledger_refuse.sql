-- Refuses what its trigger is for. Here are the tables whose rows never change or are never
-- deleted, and sums of usage, which only grow. `ledger_refuse_change` has what rows never become.
create or replace function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception '%: % refused by %', tg_table_name, lower(tg_op), tg_name
    using errcode = 'integrity_constraint_violation';
end
$$;

do $$
declare
  each text;
begin
  foreach each in array array[
    'request', 'ledger_entry', 'operator_loss', 'node_release',
    'ledger_piece', 'ledger_seal', 'ledger_seal_account',
    'ledger_archive', 'ledger_archive_part', 'ledger_archive_drop',
    'price_version', 'model_version', 'model_name', 'invoice', 'incident_update'
  ] loop
    execute format('create or replace trigger %I before update or delete on %I'
      ' for each row execute function ledger_refuse()', each || '_append_only', each);
  end loop;
  foreach each in array array[
    'wallet', 'point_lot', 'point_lot_mark', 'ledger_reversal', 'ledger_apart',
    'ledger_seal_head', 'model', 'video_task', 'incident'
  ] loop
    execute format('create or replace trigger %I before delete on %I'
      ' for each row execute function ledger_refuse()', each || '_no_delete', each);
  end loop;
  foreach each in array array[
    'wallet', 'open_request', 'request', 'ledger_entry', 'operator_loss', 'api_key_budget',
    'point_lot', 'point_lot_mark', 'ledger_reversal', 'member_budget', 'tag_budget',
    'node_release', 'usage_waiting', 'ledger_apart', 'ledger_piece', 'ledger_draft',
    'ledger_seal', 'ledger_seal_account', 'ledger_seal_head', 'ledger_archive',
    'ledger_archive_part', 'ledger_archive_drop', 'price_version', 'model', 'model_version',
    'model_name', 'video_task', 'invoice', 'receipt_parties', 'incident', 'incident_update'
  ] loop
    execute format('create or replace trigger %I before truncate on %I'
      ' for each statement execute function ledger_refuse()', each || '_no_truncate', each);
  end loop;
  foreach each in array array['usage_day', 'usage_hour', 'usage_total_hour', 'usage_total_day'] loop
    execute format('create or replace trigger %I before delete on %I'
      ' for each statement execute function ledger_refuse()', each || '_no_delete', each);
    execute format('create or replace trigger %I before truncate on %I'
      ' for each statement execute function ledger_refuse()', each || '_no_truncate', each);
  end loop;
  foreach each in array array['usage_hour', 'usage_total_day', 'ledger_draft'] loop
    execute format('create or replace trigger %I before update on %I for each row when ('
      'new.settled < old.settled or new.released < old.released'
      ' or new.input_tokens < old.input_tokens or new.output_tokens < old.output_tokens'
      ' or new.amount < old.amount) execute function ledger_refuse()', each || '_only_grows', each);
  end loop;
end
$$;
create or replace trigger receipt_parties_append_only before delete on receipt_parties
  for each row execute function ledger_refuse();
create or replace trigger usage_day_only_grows before update on usage_day
  for each row when (new.requests < old.requests or new.input_tokens < old.input_tokens
    or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function ledger_refuse();
create or replace trigger usage_total_hour_only_grows before update on usage_total_hour
  for each row when (new.settled < old.settled or new.released < old.released
    or new.amount < old.amount)
  execute function ledger_refuse();
create or replace trigger usage_total_hour_failed_only_grows before update on usage_total_hour
  for each row when (new.failed < old.failed)
  execute function ledger_refuse();
