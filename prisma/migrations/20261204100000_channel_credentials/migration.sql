-- A channel may have several credentials. Its own stays where it is; the further ones are here,
-- each with its name, its weight, when it was given, and the credential, encrypted and bound to the
-- channel and the name.
alter table channel
  add column credential_weight integer not null default 1
    check (credential_weight between 1 and 1000),
  add column credentials jsonb not null default '[]',
  add constraint channel_credentials_bound check (jsonb_typeof(credentials) = 'array'
    and jsonb_array_length(credentials) <= 20),
  add constraint channel_archived_has_no_credentials check (archived_at is null
    or credentials = '[]');

-- The credential with which a task was ordered: it is polled with the same. Null: the channel's
-- own.
alter table video_task add column channel_credential text check (length(channel_credential) <= 40);
