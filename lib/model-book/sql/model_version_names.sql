-- A name belongs to one model for ever, in whatever case it is written.
create or replace function model_version_names() returns trigger language plpgsql as $$
declare taken text;
begin
  -- In one order everywhere, so that two that want the same names wait for each other and never
  -- deadlock.
  insert into model_name (name, model_id)
    select distinct lower(name), new.model_id from unnest(new.aliases || new.model_id) as name
      order by 1 on conflict (name) do nothing;
  -- A name that another transaction was making has been waited for, and is there now.
  select n.name into taken from model_name n
    where n.model_id <> new.model_id
      and n.name in (select lower(name) from unnest(new.aliases || new.model_id) as name) order by 1
      limit 1;
  if taken is not null then
    raise exception 'model: the name % is taken', taken
      using errcode = 'unique_violation', constraint = 'model_name_once', detail = taken;
  end if;
  update model set revision = revision where id = new.model_id;
  return null;
end
$$;

create or replace trigger model_version_names after insert on model_version
  for each row execute function model_version_names();
