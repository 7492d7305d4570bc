-- Management keys may have the scopes of what the pages of an account do.
alter table management_key drop constraint management_key_scopes_check;
alter table management_key add constraint management_key_scopes_check check (
  cardinality(scopes) > 0 and scopes <@ array['keys:read', 'keys:write', 'points:read', 'points:write', 'usage:read', 'account:write',
    'webhooks:read', 'webhooks:write', 'members:read', 'members:write']);
