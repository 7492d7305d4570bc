-- Scopes for the members of an account. A process of the release before knows none of them, and lets a key do nothing more by them.
set local lock_timeout = '5s';
alter table management_key drop constraint management_key_scopes_check,
  add constraint management_key_scopes_check check (cardinality(scopes) > 0
    and scopes <@ array['keys:read', 'keys:write', 'members:read', 'members:write', 'points:read', 'usage:read']);
