-- A reference to a request, open or ended. No request is deleted but with its archived month, so it
-- is enough to look when the row is written. A foreign key would keep a month from being archived.
create or replace function request_exists() returns trigger language plpgsql as $$
begin
  if not exists (select from request_known where id = new.operation_id) then
    raise exception '%: there is no request %', tg_table_name, new.operation_id
      using errcode = 'foreign_key_violation', constraint = tg_name;
  end if;
  return null;
end
$$;

do $$
declare
  pair text[];
begin
  foreach pair slice 1 in array array[
    ['image_result', 'image_result_operation_id_fkey'],
    ['ledger_entry', 'ledger_entry_refunded_operation'],
    ['operator_loss', 'operator_loss_operation_id_fkey'],
    ['video_task', 'video_task_operation_id_fkey']
  ] loop
    execute format('drop trigger if exists %I on %I', pair[2], pair[1]);
    execute format('create constraint trigger %I after insert or update of operation_id on %I'
      ' for each row when (new.operation_id is not null) execute function request_exists()',
      pair[2], pair[1]);
  end loop;
end
$$;
