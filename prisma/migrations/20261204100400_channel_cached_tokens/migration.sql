-- How much of the input a channel's upstream had cached, where it says so.
alter table channel_minute
  add column input_tokens bigint not null default 0 check (input_tokens >= 0),
  add column cached_tokens bigint not null default 0 check (cached_tokens >= 0);
