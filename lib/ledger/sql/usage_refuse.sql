-- Refuses what does not happen to sums of usage: they only grow, and stay.
create or replace function usage_refuse() returns trigger language plpgsql as $$
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
    'usage_day', 'usage_hour', 'usage_total_hour', 'usage_total_day'
  ] loop
    execute format('create or replace trigger %I before delete on %I'
      ' for each statement execute function usage_refuse()', each || '_no_delete', each);
    execute format('create or replace trigger %I before truncate on %I'
      ' for each statement execute function usage_refuse()', each || '_no_truncate', each);
  end loop;
  foreach each in array array['usage_hour', 'usage_total_day', 'ledger_draft'] loop
    execute format('create or replace trigger %I before update on %I for each row when ('
      'new.settled < old.settled or new.released < old.released'
      ' or new.input_tokens < old.input_tokens or new.output_tokens < old.output_tokens'
      ' or new.amount < old.amount) execute function usage_refuse()', each || '_only_grows', each);
  end loop;
end
$$;
create or replace trigger usage_day_only_grows before update on usage_day
  for each row when (new.requests < old.requests or new.input_tokens < old.input_tokens
    or new.output_tokens < old.output_tokens or new.amount < old.amount)
  execute function usage_refuse();
create or replace trigger usage_total_hour_only_grows before update on usage_total_hour
  for each row when (new.settled < old.settled or new.released < old.released
    or new.amount < old.amount)
  execute function usage_refuse();
create or replace trigger usage_total_hour_failed_only_grows before update on usage_total_hour
  for each row when (new.failed < old.failed)
  execute function usage_refuse();
