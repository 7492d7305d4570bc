-- A request with an id of a dropped month would be one more in a month that is closed, or one that
-- is in its file already. Ids without a partition go to the default one; in a restored database
-- those of older months go to the first one, whose other rows are not looked at.
create or replace function ledger_refuse_dropped() returns trigger language plpgsql as $$
declare
  key uuid;
begin
  if tg_argv[0] = 'id' then key := new.id; else key := new.operation_id; end if;
  if exists (select from ledger_archive_drop d where key >= d.starts and key < d.below) then
    raise exception '%: the month of % is only in archived files', tg_table_name, key
      using errcode = 'check_violation', constraint = tg_name;
  end if;
  return null;
end
$$;

do $$
declare
  -- No younger month is dropped.
  bound uuid := ledger_first_id(now() - interval '3 months');
  parent text;
  key text;
begin
  foreach parent in array array['settlement', 'operation'] loop
    key := case parent when 'operation' then 'id' else 'operation_id' end;
    execute format('create or replace trigger %I after insert on %I'
      ' for each row execute function ledger_refuse_dropped(%L)',
      parent || '_default_not_dropped', parent || '_default', key);
    execute format('create or replace trigger %I after insert on %I for each row'
      ' when (new.%I < %L) execute function ledger_refuse_dropped(%L)',
      parent || '_earlier_not_dropped', parent || '_earlier', key, bound, key);
  end loop;
end $$;
