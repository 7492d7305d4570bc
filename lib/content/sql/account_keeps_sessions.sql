-- An account that keeps no sessions of the playground any more has none from then on.
create or replace function account_keeps_sessions() returns trigger language plpgsql as $$
begin
  delete from studio_session where account_id = new.id;
  return null;
end
$$;

create or replace trigger account_keeps_sessions after update of keeps_sessions on account
  for each row when (old.keeps_sessions and not new.keeps_sessions)
  execute function account_keeps_sessions();
