-- Keys with which programs do what the operators' pages do. They are apart from all other keys: nothing that is charged can name one.

create table operator_key (
  id           text primary key,
  user_id      text not null references "user" on delete cascade,
  name         text not null check (length(name) between 1 and 80),
  key_hash     bytea not null unique check (octet_length(key_hash) = 32),
  hint         text not null check (length(hint) <= 24),
  scopes       text[] not null check (cardinality(scopes) > 0 and scopes <@ array['accounts:read', 'accounts:write', 'points:write',
                 'usage:read', 'money:read', 'operations:write', 'channels:read', 'channels:write', 'prices:read', 'prices:write',
                 'settings:read', 'settings:write', 'notices:write', 'audit:read']),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
create index operator_key_user on operator_key (user_id, created_at);
create trigger operator_key_count after insert on operator_key for each row
  execute function limit_rows('20', 'user_id', 'revoked_at is null');

-- A user who is no operator any more takes the keys along, for good: being made one again gives none of them back.
create function operator_key_demoted() returns trigger language plpgsql as $$
begin
  update operator_key set revoked_at = now() where user_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger operator_key_demoted after update of is_operator on "user" for each row
  when (old.is_operator and not new.is_operator) execute function operator_key_demoted();
