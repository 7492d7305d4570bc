-- What a model is never changes; its state only as listed here. Each change raises the revision.
create or replace function model_changes() returns trigger language plpgsql as $$
begin
  if (new.id, new.number, new.family, new.is_built_in, new.created_at, new.created_by)
    is distinct from (old.id, old.number, old.family, old.is_built_in, old.created_at,
      old.created_by) then
    raise exception 'model: what % is cannot be changed', old.id
      using errcode = 'integrity_constraint_violation', constraint = 'model_keeps';
  end if;
  if new.state <> old.state and (old.state || ' ' || new.state) not in
    ('draft offered', 'offered retiring', 'offered retired', 'retiring retired', 'retiring offered',
      'retired offered') then
    raise exception 'model: % cannot be % after %', old.id, new.state, old.state
      using errcode = 'integrity_constraint_violation', constraint = 'model_states';
  end if;
  new.revision := old.revision + 1;
  return new;
end
$$;

create or replace trigger model_changes before update on model
  for each row execute function model_changes();
