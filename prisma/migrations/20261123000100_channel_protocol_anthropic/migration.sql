-- A channel may speak the Messages API.
alter table channel drop constraint channel_protocol_check;
alter table channel add constraint channel_protocol_check
  check (protocol in ('openai', 'anthropic', 'ark', 'relay'));
