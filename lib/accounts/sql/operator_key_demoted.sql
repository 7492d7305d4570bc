-- A user who is no operator any more takes the keys along, for good: being made one again gives
-- none of them back.
create or replace function operator_key_demoted() returns trigger language plpgsql as $$
begin
  update operator_key set revoked_at = now() where user_id = new.id and revoked_at is null;
  return null;
end
$$;

create or replace trigger operator_key_demoted after update of is_operator on "user"
  for each row when (old.is_operator and not new.is_operator)
  execute function operator_key_demoted();
