-- Sets a limit of a key, or lifts it with null. False: the account has no such key. What the key
-- spent and holds so far counts in its lifetime and in its running requests. A window counts what
-- is opened from now on; a new amount or zone keeps what was counted.
create or replace function ledger_set_key_limit(
  key text, account text, limit_kind text, new_limit bigint, limit_zone text
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  moment timestamptz;
  w record;
begin
  perform from wallet where account_id = account for update;
  if not exists (select from api_key where id = key and account_id = account) then
    return false;
  end if;
  if new_limit is null then
    delete from api_key_budget where api_key_id = key and kind = limit_kind;
    perform ledger_note_limits(account);
    return true;
  end if;
  update wallet set has_limits = true, version = version + 1 where account_id = account;
  if limit_kind = 'lifetime' then
    insert into api_key_budget as b (api_key_id, account_id, kind, budget, spent, held)
      values (key, account, limit_kind, new_limit,
      (select coalesce(sum(amount), 0) from usage_of_day
      where account_id = account and api_key_id = key),
      (select coalesce(sum(hold_amount), 0) from open_request
      where account_id = account and api_key_id = key))
      on conflict (api_key_id, kind) do update set budget = excluded.budget;
    return true;
  end if;
  if limit_kind = 'running' then
    insert into api_key_budget as b (api_key_id, account_id, kind, budget, spent, held)
      values (key, account, limit_kind, new_limit, 0,
      (select count(*) from open_request where account_id = account and api_key_id = key))
      on conflict (api_key_id, kind) do update set budget = excluded.budget;
    return true;
  end if;
  -- After everything that was opened before: a request belongs to the window exactly if it was
  -- opened from its beginning on.
  select greatest(clock_timestamp(), max(created_at) + interval '1 microsecond') into moment
    from open_request where account_id = account and api_key_id = key;
  select * into w from ledger_key_window(limit_kind, limit_zone, moment);
  update api_key_budget b
    set starts_at = greatest(w.starts_at, b.ends_at), ends_at = w.ends_at, spent = 0, held = 0
    where b.api_key_id = key and b.kind = limit_kind and b.ends_at <= moment;
  insert into api_key_budget as b (api_key_id, account_id, kind, budget, zone, starts_at, ends_at)
    values (key, account, limit_kind, new_limit, limit_zone, moment, w.ends_at)
    on conflict (api_key_id, kind) do update
      set budget = excluded.budget, zone = excluded.zone, ends_at = excluded.ends_at;
  return true;
end
$$;
