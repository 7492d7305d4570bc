-- Locks the incident, so that its updates come one after the other, each with its own time.
create or replace function incident_update_begins() returns trigger language plpgsql as $$
begin
  new.created_at := clock_timestamp();
  update incident
    set resolved_at = case when new.state = 'resolved'
      then coalesce(resolved_at, new.created_at) end
    where id = new.incident_id;
  new.number := (select count(*) + 1 from incident_update u where u.incident_id = new.incident_id);
  return new;
end
$$;

create or replace trigger incident_update_begins before insert on incident_update
  for each row execute function incident_update_begins();
