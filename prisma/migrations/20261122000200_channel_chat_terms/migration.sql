-- Which chat fields beside the usual ones pass to a channel's upstream, and which cap that upstream keeps; null: the protocol's own.
alter table channel
  add column allowed_fields text[] not null default '{}'
    constraint channel_allowed_fields check (cardinality(allowed_fields) <= 50),
  add column output_cap text
    constraint channel_output_cap check (output_cap in ('as_sent', 'max_tokens', 'max_completion_tokens', 'none'));
