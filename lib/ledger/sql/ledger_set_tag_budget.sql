-- Sets a budget of a tag, or lifts it with null. False: the account has `budgets_max` others, and
-- nothing is set. A window counts what is opened from now on; a new amount or zone keeps what was
-- counted.
create or replace function ledger_set_tag_budget(
  account text, tag_name text, tag_value text, budget_kind text, new_budget bigint,
  budget_zone text, budgets_max integer
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  moment timestamptz;
  w record;
begin
  perform from wallet where account_id = account for update;
  if new_budget is null then
    delete from tag_budget b
      where b.account_id = account and b.name = tag_name and b.value = tag_value
        and b.kind = budget_kind;
    perform ledger_note_limits(account);
    return true;
  end if;
  if (select count(*) from tag_budget b where b.account_id = account
        and (b.name, b.value, b.kind) <> (tag_name, tag_value, budget_kind)) >= budgets_max
  then
    return false;
  end if;
  update wallet set has_limits = true, version = version + 1 where account_id = account;
  -- After everything that was opened before: a request belongs to the window exactly if it was
  -- opened from its beginning on.
  select greatest(clock_timestamp(), max(created_at) + interval '1 microsecond') into moment
    from open_request where account_id = account;
  select * into w from ledger_key_window(budget_kind, budget_zone, moment);
  update tag_budget b
    set starts_at = greatest(w.starts_at, b.ends_at), ends_at = w.ends_at, spent = 0, held = 0
    where b.account_id = account and b.name = tag_name and b.value = tag_value
      and b.kind = budget_kind and b.ends_at <= moment;
  insert into tag_budget as b (account_id, name, value, kind, budget, zone, starts_at, ends_at)
    values (account, tag_name, tag_value, budget_kind, new_budget, budget_zone, moment, w.ends_at)
    on conflict (account_id, name, value, kind) do update
      set budget = excluded.budget, zone = excluded.zone, ends_at = excluded.ends_at;
  return true;
end
$$;
