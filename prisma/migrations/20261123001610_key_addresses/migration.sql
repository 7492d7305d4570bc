-- The network addresses from which a key may be used, single ones and ranges; empty for all.
alter table api_key add column allowed_addresses text[] not null default '{}',
  add constraint api_key_allowed_addresses check (cardinality(allowed_addresses) <= 50);
create trigger notify_addresses after update of allowed_addresses on api_key for each row execute function notify_change();
