-- A reference to a request, open or ended. None goes, so it is enough to look when the row is
-- written. A foreign key would keep a month of
-- requests from being archived.
create or replace function request_exists() returns trigger language plpgsql as $$
begin
  if not exists (select from request_known where id = new.operation_id) then
    raise exception '%: there is no request %', tg_table_name, new.operation_id
      using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end
$$;

drop trigger if exists image_result_operation_id_fkey on image_result;
create constraint trigger image_result_operation_id_fkey after insert or update of operation_id
  on image_result
  for each row when (new.operation_id is not null)
  execute function request_exists();
drop trigger if exists ledger_entry_refunded_operation on ledger_entry;
create constraint trigger ledger_entry_refunded_operation after insert or update of operation_id
  on ledger_entry
  for each row when (new.operation_id is not null)
  execute function request_exists();
drop trigger if exists operator_loss_operation_id_fkey on operator_loss;
create constraint trigger operator_loss_operation_id_fkey after insert or update of operation_id
  on operator_loss
  for each row when (new.operation_id is not null)
  execute function request_exists();
drop trigger if exists video_task_operation_id_fkey on video_task;
create constraint trigger video_task_operation_id_fkey after insert or update of operation_id
  on video_task
  for each row when (new.operation_id is not null)
  execute function request_exists();
