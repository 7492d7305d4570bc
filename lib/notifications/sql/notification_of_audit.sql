-- An audit that found something wrong is told to the operators, in the commit of its report.
create or replace function notification_of_audit() returns trigger language plpgsql as $$
begin
  perform notification_to_operators('audit_failed', new.id::text, jsonb_build_object(
    'run', new.id::text, 'failed', jsonb_array_length(new.broken)));
  return null;
end
$$;

create or replace trigger notification_of_audit after insert on ledger_audit_run
  for each row when (not new.is_clean)
  execute function notification_of_audit();
