-- A model begins as a draft that is not built in.
create or replace function model_begins() returns trigger language plpgsql as $$
begin
  if new.is_built_in or new.state <> 'draft' or new.revision <> 1 then
    raise exception 'model: % must begin as a draft', new.id
      using errcode = 'integrity_constraint_violation', constraint = 'model_begins';
  end if;
  return new;
end
$$;

create or replace trigger model_begins before insert on model
  for each row execute function model_begins();
