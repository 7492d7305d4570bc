-- A channel's profile also says the largest output cap that its upstream takes, where it refused a
-- larger one, by model.
alter table channel
  drop constraint channel_profile_parts,
  add constraint channel_profile_parts check (profile is null
    or (jsonb_typeof(profile) = 'object'
    and profile - array['plainUsage', 'streamUsage', 'maxTokens', 'maxCompletionTokens', 'tools',
    'images', 'modelList', 'reads', 'caps'] = '{}'
    and not jsonb_path_exists(profile - array['reads', 'caps'], '$.* ? (@.type() != "boolean")')
    and jsonb_typeof(coalesce(profile -> 'reads', '{}')) = 'object'
    and not jsonb_path_exists(profile -> 'reads', '$.* ? (@.type() != "object")')
    and not jsonb_path_exists(profile -> 'reads', '$.*.* ? (@.type() != "boolean")')
    and jsonb_typeof(coalesce(profile -> 'caps', '{}')) = 'object'
    and not jsonb_path_exists(profile -> 'caps', '$.* ? (@.type() != "number")')));
