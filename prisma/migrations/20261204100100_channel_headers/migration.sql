-- Headers that are sent to a channel's upstream beside the relay's own, by name. No secrets.
alter table channel
  add column headers jsonb not null default '{}',
  add constraint channel_headers_bound check (jsonb_typeof(headers) = 'object'
    and octet_length(headers::text) <= 32768);
