-- A new key is told by its hash, so that a process that refused that text a moment ago forgets this
-- one refusal and no other.
create or replace function notify_key_made() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', 'api_key_made:' || encode(new.key_hash, 'base64'));
  return null;
end
$$;

create or replace trigger notify_key_made after insert on api_key
  for each row execute function notify_key_made();
