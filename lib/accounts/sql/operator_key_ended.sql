-- What an operator key offered ends with it: open invitations, which give points. Vouchers stay,
-- since they may be sold.
create or replace function operator_key_ended() returns trigger language plpgsql as $$
begin
  update invite set revoked_at = now()
    where created_by = old.id and used_at is null and revoked_at is null;
  return null;
end
$$;

create or replace trigger operator_key_ended after update of revoked_at on operator_key
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function operator_key_ended();
create or replace trigger operator_key_gone after delete on operator_key
  for each row execute function operator_key_ended();
