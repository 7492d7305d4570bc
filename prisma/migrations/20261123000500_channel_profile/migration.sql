-- What a test has found out about a channel's upstream; a part that is absent is not known. And how
-- streams are served where those of the upstream carry no usage.
alter table channel
  add column profile     jsonb,
  add column profiled_at timestamptz,
  add column streams     text not null default 'from_answer'
    constraint channel_streams check (streams in ('from_answer', 'none')),
  add constraint channel_profile_is_whole check ((profile is null) = (profiled_at is null)),
  add constraint channel_profile_parts check (
    profile is null
    or (jsonb_typeof(profile) = 'object'
        and profile - array['plainUsage', 'streamUsage', 'maxTokens', 'maxCompletionTokens', 'tools', 'images', 'modelList'] = '{}'
        and not jsonb_path_exists(profile, '$.* ? (@.type() != "boolean")')));

-- A profile is of the server and the account with which it was found: another address, key or
-- protocol has none. A credential that is only sealed again stays the same.
create function forget_channel_profile() returns trigger language plpgsql as $$
begin
  new.profile := null;
  new.profiled_at := null;
  return new;
end $$;
create trigger forget_profile before update on channel for each row
  when (old.profile is not null
        and (old.base_url, old.protocol, old.credential_set_at, old.credential is null)
            is distinct from (new.base_url, new.protocol, new.credential_set_at, new.credential is null))
  execute function forget_channel_profile();
