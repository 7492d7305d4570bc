-- Whether a user has a factor is read with every session, so it stands beside the user.
create or replace function second_factor_changed() returns trigger language plpgsql as $$
declare changed text := coalesce(new.user_id, old.user_id);
begin
  -- In a statement of its own: the next one then sees what a change that held this row has written.
  perform from "user" where id = changed for no key update;
  update "user"
    set has_second_factor = exists (select from user_totp
    where user_id = changed and confirmed_at is not null)
    or exists (select from passkey where user_id = changed) where id = changed;
  return null;
end
$$;

create or replace trigger second_factor_changed after insert or delete on passkey
  for each row execute function second_factor_changed();
create or replace trigger second_factor_changed after insert or update of confirmed_at or delete
  on user_totp
  for each row execute function second_factor_changed();
