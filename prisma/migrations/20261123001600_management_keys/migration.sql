-- Keys with which programs manage an account. They are apart from the keys that generate: nothing that is charged can name one.

create table management_key (
  id           text primary key,
  account_id   text not null references account,
  name         text not null check (length(name) between 1 and 80),
  key_hash     bytea not null unique check (octet_length(key_hash) = 32),
  hint         text not null check (length(hint) <= 24),
  scopes       text[] not null check (cardinality(scopes) > 0 and scopes <@ array['keys:read', 'keys:write', 'points:read', 'usage:read']),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index management_key_account on management_key (account_id, created_at);
create trigger management_key_count after insert on management_key for each row
  execute function limit_rows('20', 'account_id', 'revoked_at is null');

-- An account that is closed takes its management keys with it, however it is closed.
create function management_key_end() returns trigger language plpgsql as $$
begin
  update management_key set name = 'erased', revoked_at = coalesce(revoked_at, now()) where account_id = new.id;
  return null;
end $$;
create trigger management_key_end after update of status on account for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function management_key_end();
