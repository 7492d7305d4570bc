-- Refuses changes that a budget of a tag never makes: what it is of stays, what was spent only
-- grows within a window, and nothing is admitted beyond it.
create or replace function tag_budget_refuse() returns trigger language plpgsql as $$
begin
  raise exception '%: % refused by %', tg_table_name, lower(tg_op), tg_name
    using errcode = 'integrity_constraint_violation';
end
$$;

create or replace trigger tag_budget_bound before update on tag_budget
  for each row when ((new.account_id, new.name, new.value, new.kind)
    is distinct from (old.account_id, old.name, old.value, old.kind)
    or new.starts_at <> old.starts_at and new.starts_at < old.ends_at
    or new.starts_at = old.starts_at and new.spent < old.spent or new.spent + new.held > new.budget
    and (new.starts_at <> old.starts_at or new.spent + new.held > old.spent + old.held))
  execute function tag_budget_refuse();
