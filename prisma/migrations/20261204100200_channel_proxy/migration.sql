-- The proxy through which a channel's upstream is reached, and its user and password, encrypted and
-- bound to the channel.
alter table channel
  add column proxy text check (length(proxy) between 1 and 500),
  add column proxy_credential bytea,
  add constraint channel_proxy_credential check (proxy_credential is null
    or proxy is not null),
  add constraint channel_archived_has_no_proxy check (archived_at is null
    or proxy_credential is null);
