-- A profile is of the server and the account with which it was found: another address, key or
-- protocol has none. A credential that is only sealed again stays the same.
create or replace function forget_channel_profile() returns trigger language plpgsql as $$
begin
  new.profile := null;
  new.profiled_at := null;
  return new;
end
$$;

create or replace trigger forget_profile before update on channel
  for each row when (old.profile is not null
    and (old.base_url, old.protocol, old.credential_set_at,
    old.credential is null) is distinct from (new.base_url, new.protocol, new.credential_set_at,
    new.credential is null))
  execute function forget_channel_profile();
