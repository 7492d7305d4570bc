-- The versions of a model are numbered one after the other. A built-in model keeps its names and
-- what it can do.
create or replace function model_version_begins() returns trigger language plpgsql as $$
declare
  is_built_in boolean;
  newest record;
begin
  -- Versions of one model come one after the other.
  select m.is_built_in into is_built_in from model m where m.id = new.model_id for update;
  select v.number, v.aliases, v.spec into newest from model_version v
    where v.model_id = new.model_id order by v.number desc limit 1;
  if new.number <> coalesce(newest.number, 0) + 1 then
    raise exception 'model: version % of % is not the next', new.number, new.model_id
      using errcode = 'unique_violation', constraint = 'model_version_once';
  end if;
  if is_built_in
    and (new.aliases, new.spec::jsonb) is distinct from (newest.aliases, newest.spec::jsonb) then
    raise exception 'model: % is built in', new.model_id
      using errcode = 'integrity_constraint_violation', constraint = 'model_built_in';
  end if;
  return new;
end
$$;

create or replace trigger model_version_begins before insert on model_version
  for each row execute function model_version_begins();
