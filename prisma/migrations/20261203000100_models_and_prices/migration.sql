-- What is sold: models, their prices, and the channels to the upstreams that serve them.

-- A model that is offered, was, or will be. What it can do is in its versions.
create table model (
  id text primary key,
  number bigint generated always as identity unique,
  family text not null,
  -- Of the service's specification: its names, its family and its limits cannot be changed.
  is_built_in boolean not null default false,
  state text not null default 'draft',
  -- A model that is retiring is served until then; no later change is needed to end it.
  retires_at timestamptz,
  replaced_by text references model,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- Grows by one with every change of the row or of its versions: processes compare the sum.
  revision bigint not null default 1,
  constraint model_id check (id ~ '^[A-Za-z0-9._:/-]{1,64}$'),
  constraint model_family check (family in ('text', 'video', 'image')),
  constraint model_state check (state in ('draft', 'offered', 'retiring', 'retired')),
  constraint model_retiring_has_a_date check ((state = 'retiring') = (retires_at is not null)),
  constraint model_replaced_by_another check (replaced_by is null
    or (replaced_by <> id and state in ('retiring', 'retired')))
);

-- What a model can do and is called; the one with the highest number holds. Each request names the
-- one that it was priced by.
create table model_version (
  id bigint generated always as identity primary key,
  model_id text not null references model,
  number integer not null,
  -- The first is shown.
  aliases text[] not null,
  -- A title and a sentence by language; null where the pages have their own.
  names jsonb,
  -- Not jsonb, which would forget the order of sizes in which they are shown.
  spec json not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint model_version_once unique (model_id, number),
  constraint model_version_number check (number between 1 and 1000),
  constraint model_version_aliases check (cardinality(aliases) <= 8),
  constraint model_version_names check (names is null
    or (jsonb_typeof(names) = 'object' and pg_column_size(names) <= 8192)),
  constraint model_version_spec check (json_typeof(spec) = 'object'
    and octet_length(spec::text) <= 16384)
);

-- Every name that a model has or had, in small letters. A name stays with its model, so that code
-- that sends it never gets another one.
create table model_name (
  name text primary key,
  model_id text not null references model,
  constraint model_name_form check (name ~ '^[a-z0-9._:/-]{1,64}$'),
  -- In place of a model, this one means the price of a point.
  constraint model_name_reserved check (name <> 'point')
);
create index model_name_model on model_name (model_id);

-- What a model costs from effective_at on, in micropoints per 1,000,000 tokens. other_rates has the
-- prices of other units, and for qualities and sizes: a list of unit, amount and what it is for.
create table price_version (
  id bigint generated always as identity primary key,
  model text not null,
  input_price bigint not null default 0 check (input_price between 0 and 1000000000000),
  output_price bigint not null check (output_price between 0 and 1000000000000),
  effective_at timestamptz not null default now(),
  created_by text not null,
  other_rates jsonb not null default '[]',
  unique (model, effective_at),
  constraint price_version_other_rates check (case
    when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? (!('
        '@.key == "unit" || @.key == "amount" || @.key == "size" || @.key == "quality"'
        ' || @.key == "resolution" || @.key == "audio"))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string" && ('
        '@.unit == "cached_input_token" || @.unit == "cache_write_token"'
        ' || @.unit == "reasoning_token" || @.unit == "image" || @.unit == "second"'
        ' || @.unit == "request")))')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.amount.type() == "number"'
        ' && @.amount >= 0 && @.amount <= 1000000000000 && @.amount.floor() == @.amount))')
      and not jsonb_path_exists(other_rates, '$[*] ? ('
        '(exists(@.size) || exists(@.quality)) && @.unit != "image"'
        ' || (exists(@.resolution) || exists(@.audio)) && @.unit != "second")')
      and not jsonb_path_exists(other_rates,
        '$[*] ? (exists(@.audio) && @.audio.type() != "boolean")')
      and not jsonb_path_exists(other_rates, '$[*].keyvalue() ? ('
        '@.key == "size" || @.key == "quality" || @.key == "resolution").value'
        ' ? (!(@.type() == "string" && @ like_regex "^[0-9A-Za-z._:-]{1,40}$"))')
    end)
);

-- What an upstream asks for a model, and what the operator asks for a point: for the margin alone,
-- nothing is charged by it. Millionths of the currency: per million tokens for a model, and for one
-- point as output_amount of the subject 'point'.
create table upstream_price (
  subject text primary key,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  input_amount bigint check (input_amount between 0 and 1000000000000000),
  output_amount bigint not null check (output_amount between 0 and 1000000000000000),
  updated_at timestamptz not null default now(),
  updated_by text not null,
  other_rates jsonb not null default '[]',
  constraint upstream_price_other_rates check (case
    when jsonb_typeof(other_rates) <> 'array' then false
    else jsonb_array_length(other_rates) <= 62
      and not jsonb_path_exists(other_rates, 'strict $[*] ? (@.type() != "object")')
      and not jsonb_path_exists(other_rates, '$[*] ? (!(@.unit.type() == "string"'
        ' && @.amount.type() == "number" && @.amount >= 0 && @.amount <= 1000000000000000'
        ' && @.amount.floor() == @.amount))')
    end)
);

-- The multiplier of a group for one model, in place of the group's own.
create table account_group_multiplier (
  group_id text not null references account_group on delete cascade,
  model text not null references model,
  multiplier_ppm integer not null,
  primary key (group_id, model),
  constraint account_group_multiplier_ppm check (multiplier_ppm between 1 and 100000000)
);

-- A configured way to an upstream. The credential is encrypted under a key derived from
-- RELAY_SECRET.
create table channel (
  id text primary key,
  name text not null check (length(name) between 1 and 80),
  protocol text not null,
  base_url text not null,
  -- Encrypted, with credential_nonce; null where the upstream wants none.
  credential bytea,
  credential_nonce bytea unique,
  -- The upstream's name of each model, by its name here.
  models jsonb not null,
  -- 0 for as many as come; so is requests_per_minute.
  requests_per_second integer not null default 10 check (requests_per_second >= 0),
  requests_per_minute integer not null default 600 check (requests_per_minute >= 0),
  -- Lower ones are tried first; among equal ones the weight is the chance.
  priority integer not null default 0,
  weight integer not null default 1 check (weight between 1 and 1000),
  timeout_seconds integer check (timeout_seconds between 1 and 3600),
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  -- Takes no new work since then.
  draining_since timestamptz,
  archived_at timestamptz,
  -- When the credential was last given by a person.
  credential_set_at timestamptz,
  first_used_at timestamptz,
  -- Fields of chat requests that it takes beside the known ones.
  allowed_fields text[] not null default '{}',
  -- The name of the field that bounds an answer; null: found out.
  output_cap text,
  -- What tests found out about the upstream.
  profile jsonb,
  profiled_at timestamptz,
  -- What is done where streams carry no usage.
  streams text not null default 'from_answer',
  check ((credential is null) = (credential_nonce is null)),
  constraint channel_draining_takes_nothing check (draining_since is null or not is_enabled),
  constraint channel_archived_is_empty check (archived_at is null
    or (not is_enabled and credential is null)),
  constraint channel_protocol_check check (protocol in ('openai', 'anthropic', 'ark', 'relay')),
  constraint channel_profile_is_whole check ((profile is null) = (profiled_at is null)),
  constraint channel_profile_parts check (profile is null
    or (jsonb_typeof(profile) = 'object'
    and profile - array['plainUsage', 'streamUsage', 'maxTokens', 'maxCompletionTokens', 'tools',
    'images', 'modelList'] = '{}'
    and not jsonb_path_exists(profile, '$.* ? (@.type() != "boolean")'))),
  constraint channel_allowed_fields check (cardinality(allowed_fields) <= 50),
  constraint channel_output_cap check (output_cap in ('as_sent', 'max_tokens',
    'max_completion_tokens', 'none')),
  constraint channel_streams check (streams in ('from_answer', 'none'))
);
create unique index channel_name on channel (name) where archived_at is null;

-- What became of a channel's attempts, whether or not any points were held for them; every process
-- adds its own. `refused` are those that the customer's request was to blame for. `latencies`
-- counts answers by the bounds in lib/channels/latency.ts.
create table channel_minute (
  channel_id text not null,
  minute timestamptz not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  refused integer not null default 0,
  latencies integer[] not null,
  last_error text,
  last_error_at timestamptz,
  primary key (channel_id, minute),
  constraint channel_minute_counts check (succeeded >= 0 and failed >= 0 and refused >= 0),
  constraint channel_minute_error check (length(last_error) <= 300)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);
create index channel_minute_minute on channel_minute (minute);

-- What each process has under way at each channel, as it said last.
create table channel_process (
  channel_id text not null,
  node_id text not null,
  in_flight integer not null check (in_flight >= 0),
  rests_until timestamptz,
  noted_at timestamptz not null default now(),
  primary key (channel_id, node_id)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500, fillfactor = 70);

-- The models of the service's specification.
insert into model (id, family, is_built_in, state, created_at, created_by)
  select id, family, true, 'offered', timestamptz '2026-01-01T00:00:00Z', 'system' from (values
    (1, 'RelayV1', 'text'),
    (2, 'Super-Relay', 'video'),
    (3, 'Super-RelayFast', 'video'),
    (4, 'Super-Relay1.5', 'video'),
    (5, 'Super-Relay2.0', 'video'),
    (6, 'Super-Relay2.0Fast', 'video'),
    (7, 'Super-Relay2.5', 'video'),
    (8, 'Super-Relay-Image', 'image')
  ) as seed (place, id, family) order by place;

insert into model_version (model_id, number, aliases, spec, created_at, created_by)
  select id, 1, aliases, spec::json, timestamptz '2026-01-01T00:00:00Z', 'system' from (values
    (1, 'RelayV1', array['relay-v1'],
      '{"output_tokens_max":16384,"context_tokens":null,"image_tokens_max":4096,"tools":true,'
      '"reasoning":true}'),
    (2, 'Super-Relay', array['super-relay'],
      '{"durations":{"min":3,"max":12,"default":5},"resolutions":["480p","720p","1080p"],'
      '"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],'
      '"ratio_default":"16:9","reference_images_max":0,"audio":false,"pixels":"first"}'),
    (3, 'Super-RelayFast', array['super-relay-fast'],
      '{"durations":{"min":3,"max":12,"default":5},"resolutions":["480p","720p","1080p"],'
      '"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],'
      '"ratio_default":"16:9","reference_images_max":0,"audio":false,"pixels":"first"}'),
    (4, 'Super-Relay1.5', array['super-relay-1.5', 'super-relay-1-5'],
      '{"durations":{"min":5,"max":12,"default":5},"resolutions":["480p","720p","1080p"],'
      '"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],'
      '"ratio_default":"16:9","reference_images_max":0,"audio":false,"pixels":"second"}'),
    (5, 'Super-Relay2.0', array['super-relay-2', 'super-relay-2.0', 'super-relay-2-0'],
      '{"durations":{"min":5,"max":12,"default":5},"resolutions":["480p","720p","1080p"],'
      '"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],'
      '"ratio_default":"16:9","reference_images_max":4,"audio":true,"pixels":"second"}'),
    (6, 'Super-Relay2.0Fast',
      array['super-relay-2-fast', 'super-relay-2.0-fast', 'super-relay-2-0-fast'],
      '{"durations":{"min":5,"max":12,"default":5},"resolutions":["480p","720p","1080p"],'
      '"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],'
      '"ratio_default":"16:9","reference_images_max":4,"audio":true,"pixels":"second"}'),
    (7, 'Super-Relay2.5', array['super-relay-2.5', 'super-relay-2-5'],
      '{"durations":{"min":5,"max":15,"default":5},"resolutions":["480p","720p"],'
      '"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],'
      '"ratio_default":"16:9","reference_images_max":4,"audio":true,"pixels":"second"}'),
    (8, 'Super-Relay-Image', array['super-relay-img'],
      '{"side_pixels_min":512,"side_pixels_max":4096,"pixels_max":16777216,'
      '"reference_images_max":4,"size_default":"2048x2048","sizes":{"1:1":"2048x2048",'
      '"4:3":"2304x1728","3:4":"1728x2304","16:9":"2560x1440","9:16":"1440x2560",'
      '"3:2":"2496x1664","2:3":"1664x2496","21:9":"3024x1296"}}')
  ) as seed (place, id, aliases, spec) order by place;

insert into model_name (name, model_id)
  select distinct lower(name), model_id from model_version, unnest(aliases || model_id) as name;
