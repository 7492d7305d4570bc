-- The catalogue of models. A model keeps its id and its family; everything else that is sold under it is a version, and a change is a
-- new version, so that what was ordered under an earlier one can be finished under it.

create table model (
  id          text primary key,
  number      bigint generated always as identity unique,
  family      text not null,
  -- Of the service's specification: its names, its family and its limits cannot be changed.
  is_built_in boolean not null default false,
  state       text not null default 'draft',
  -- A model that is retiring is served until then; no later change is needed to end it.
  retires_at  timestamptz,
  replaced_by text references model,
  created_at  timestamptz not null default now(),
  created_by  text not null,
  -- Grows by one with every change of the row or of its versions: processes compare the sum.
  revision    bigint not null default 1,
  constraint model_id check (id ~ '^[A-Za-z0-9._:/-]{1,64}$'),
  constraint model_family check (family in ('text', 'video', 'image')),
  constraint model_state check (state in ('draft', 'offered', 'retiring', 'retired')),
  constraint model_retiring_has_a_date check ((state = 'retiring') = (retires_at is not null)),
  constraint model_replaced_by_another check (replaced_by is null or (replaced_by <> id and state in ('retiring', 'retired')))
);

create table model_version (
  id         bigint generated always as identity primary key,
  model_id   text not null references model,
  number     integer not null,
  -- The first is shown.
  aliases    text[] not null,
  -- A title and a sentence by language; null where the pages have their own.
  names      jsonb,
  -- Not jsonb, which would forget the order of sizes in which they are shown.
  spec       json not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint model_version_once unique (model_id, number),
  constraint model_version_number check (number between 1 and 1000),
  constraint model_version_aliases check (cardinality(aliases) <= 8),
  constraint model_version_names check (names is null or (jsonb_typeof(names) = 'object' and pg_column_size(names) <= 8192)),
  constraint model_version_spec check (json_typeof(spec) = 'object' and octet_length(spec::text) <= 16384)
);

-- Every name that a model has or had, in small letters. A name stays with its model, so that code that sends it never gets another one.
create table model_name (
  name     text primary key,
  model_id text not null references model,
  constraint model_name_form check (name ~ '^[a-z0-9._:/-]{1,64}$'),
  -- In place of a model, this one means the price of a point.
  constraint model_name_reserved check (name <> 'point')
);
create index model_name_model on model_name (model_id);

insert into model (id, family, is_built_in, state, created_at, created_by)
  select id, family, true, 'offered', timestamptz '2026-01-01T00:00:00Z', 'system' from (values
    (1, 'RelayV1', 'text'),
    (2, 'Super-Relay', 'video'),
    (3, 'Super-RelayFast', 'video'),
    (4, 'Super-Relay1.5', 'video'),
    (5, 'Super-Relay2.0', 'video'),
    (6, 'Super-Relay2.0Fast', 'video'),
    (7, 'Super-Relay2.5', 'video'),
    (8, 'Super-Relay-Image', 'image')) as seed (place, id, family) order by place;

insert into model_version (model_id, number, aliases, spec, created_at, created_by)
  select id, 1, aliases, spec::json, timestamptz '2026-01-01T00:00:00Z', 'system' from (values
    (1, 'RelayV1', array['relay-v1'],
     '{"output_tokens_max":16384,"context_tokens":null,"image_tokens_max":4096,"tools":true,"reasoning":true}'),
    (2, 'Super-Relay', array['super-relay'],
     '{"durations":{"min":3,"max":12,"default":5},"resolutions":["480p","720p","1080p"],"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],"ratio_default":"16:9","reference_images_max":0,"audio":false,"pixels":"first"}'),
    (3, 'Super-RelayFast', array['super-relay-fast'],
     '{"durations":{"min":3,"max":12,"default":5},"resolutions":["480p","720p","1080p"],"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],"ratio_default":"16:9","reference_images_max":0,"audio":false,"pixels":"first"}'),
    (4, 'Super-Relay1.5', array['super-relay-1.5', 'super-relay-1-5'],
     '{"durations":{"min":5,"max":12,"default":5},"resolutions":["480p","720p","1080p"],"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],"ratio_default":"16:9","reference_images_max":0,"audio":false,"pixels":"second"}'),
    (5, 'Super-Relay2.0', array['super-relay-2', 'super-relay-2.0', 'super-relay-2-0'],
     '{"durations":{"min":5,"max":12,"default":5},"resolutions":["480p","720p","1080p"],"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],"ratio_default":"16:9","reference_images_max":4,"audio":true,"pixels":"second"}'),
    (6, 'Super-Relay2.0Fast', array['super-relay-2-fast', 'super-relay-2.0-fast', 'super-relay-2-0-fast'],
     '{"durations":{"min":5,"max":12,"default":5},"resolutions":["480p","720p","1080p"],"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],"ratio_default":"16:9","reference_images_max":4,"audio":true,"pixels":"second"}'),
    (7, 'Super-Relay2.5', array['super-relay-2.5', 'super-relay-2-5'],
     '{"durations":{"min":5,"max":15,"default":5},"resolutions":["480p","720p"],"resolution_default":"720p","ratios":["16:9","9:16","1:1","4:3","3:4","21:9"],"ratio_default":"16:9","reference_images_max":4,"audio":true,"pixels":"second"}'),
    (8, 'Super-Relay-Image', array['super-relay-img'],
     '{"side_pixels_min":512,"side_pixels_max":4096,"pixels_max":16777216,"reference_images_max":4,"size_default":"2048x2048","sizes":{"1:1":"2048x2048","4:3":"2304x1728","3:4":"1728x2304","16:9":"2560x1440","9:16":"1440x2560","3:2":"2496x1664","2:3":"1664x2496","21:9":"3024x1296"}}')
    ) as seed (place, id, aliases, spec) order by place;

insert into model_name (name, model_id)
  select distinct lower(name), model_id from model_version, unnest(aliases || model_id) as name;

-- Rules for all that comes after.

create function model_begins() returns trigger language plpgsql as $$
begin
  if new.is_built_in or new.state <> 'draft' or new.revision <> 1 then
    raise exception 'model: % must begin as a draft', new.id using errcode = 'integrity_constraint_violation', constraint = 'model_begins';
  end if;
  return new;
end $$;
create trigger model_begins before insert on model for each row execute function model_begins();
create trigger model_count after insert on model for each row execute function limit_rows('2000', '', 'true');

create function model_changes() returns trigger language plpgsql as $$
begin
  if (new.id, new.number, new.family, new.is_built_in, new.created_at, new.created_by)
     is distinct from (old.id, old.number, old.family, old.is_built_in, old.created_at, old.created_by) then
    raise exception 'model: what % is cannot be changed', old.id using errcode = 'integrity_constraint_violation', constraint = 'model_keeps';
  end if;
  if new.state <> old.state and (old.state || ' ' || new.state) not in
     ('draft offered', 'offered retiring', 'offered retired', 'retiring retired', 'retiring offered', 'retired offered') then
    raise exception 'model: % cannot be % after %', old.id, new.state, old.state
      using errcode = 'integrity_constraint_violation', constraint = 'model_states';
  end if;
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger model_changes before update on model for each row execute function model_changes();

create function model_version_begins() returns trigger language plpgsql as $$
declare
  is_built_in boolean;
  newest record;
begin
  -- Versions of one model come one after the other.
  select m.is_built_in into is_built_in from model m where m.id = new.model_id for update;
  select v.number, v.aliases, v.spec into newest from model_version v where v.model_id = new.model_id order by v.number desc limit 1;
  if new.number <> coalesce(newest.number, 0) + 1 then
    raise exception 'model: version % of % is not the next', new.number, new.model_id
      using errcode = 'unique_violation', constraint = 'model_version_once';
  end if;
  if is_built_in and (new.aliases, new.spec::jsonb) is distinct from (newest.aliases, newest.spec::jsonb) then
    raise exception 'model: % is built in', new.model_id using errcode = 'integrity_constraint_violation', constraint = 'model_built_in';
  end if;
  return new;
end $$;
create trigger model_version_begins before insert on model_version for each row execute function model_version_begins();

create function model_version_names() returns trigger language plpgsql as $$
declare taken text;
begin
  -- In one order everywhere, so that two that want the same names wait for each other and never deadlock.
  insert into model_name (name, model_id)
    select distinct lower(name), new.model_id from unnest(new.aliases || new.model_id) as name order by 1 on conflict (name) do nothing;
  -- A name that another transaction was making has been waited for, and is there now.
  select n.name into taken from model_name n
    where n.model_id <> new.model_id and n.name in (select lower(name) from unnest(new.aliases || new.model_id) as name) order by 1 limit 1;
  if taken is not null then
    raise exception 'model: the name % is taken', taken using errcode = 'unique_violation', constraint = 'model_name_once', detail = taken;
  end if;
  update model set revision = revision where id = new.model_id;
  return null;
end $$;
create trigger model_version_names after insert on model_version for each row execute function model_version_names();

do $$
declare t text;
begin
  foreach t in array array['model_version', 'model_name'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function ledger_refuse()', t || '_append_only', t);
    execute format('create trigger %I before truncate on %I for each statement execute function ledger_refuse()', t || '_no_truncate', t);
  end loop;
end $$;
create trigger model_no_delete before delete on model for each row execute function ledger_refuse();
create trigger model_no_truncate before truncate on model for each statement execute function ledger_refuse();

create trigger notify_change after insert or update on model for each row execute function notify_change();
