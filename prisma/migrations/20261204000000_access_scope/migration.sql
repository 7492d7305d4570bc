-- Who has access has a scope of its own.
alter table operator_key drop constraint operator_key_scopes_check;
alter table operator_key add constraint operator_key_scopes_check check (cardinality(scopes) > 0
  and scopes <@ array['accounts:read', 'accounts:write', 'points:write', 'usage:read',
  'money:read', 'operations:write', 'channels:read', 'channels:write', 'prices:read',
  'prices:write', 'models:read', 'models:write', 'settings:read', 'settings:write',
  'access:write', 'notices:write', 'audit:read']);
