-- Sets a budget of a member, or lifts it with null. False: the account has no such member. A window
-- counts what is opened from now on; a new amount or zone keeps what was counted.
create or replace function ledger_set_member_budget(
  account text, member text, budget_kind text, new_budget bigint, budget_zone text
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  moment timestamptz;
  w record;
begin
  perform from wallet where account_id = account for update;
  if not exists (select from account_member where account_id = account and user_id = member) then
    return false;
  end if;
  if new_budget is null then
    delete from member_budget
      where account_id = account and user_id = member and kind = budget_kind;
    perform ledger_note_limits(account);
    return true;
  end if;
  update wallet set has_limits = true, version = version + 1 where account_id = account;
  -- After everything that was opened before: a request belongs to the window exactly if it was
  -- opened from its beginning on.
  select greatest(clock_timestamp(), max(created_at) + interval '1 microsecond') into moment
    from open_request where account_id = account;
  select * into w from ledger_key_window(budget_kind, budget_zone, moment);
  update member_budget b
    set starts_at = greatest(w.starts_at, b.ends_at), ends_at = w.ends_at, spent = 0, held = 0
    where b.account_id = account and b.user_id = member and b.kind = budget_kind
      and b.ends_at <= moment;
  insert into member_budget as b (account_id, user_id, kind, budget, zone, starts_at, ends_at)
    values (account, member, budget_kind, new_budget, budget_zone, moment, w.ends_at)
    on conflict (account_id, user_id, kind) do update
      set budget = excluded.budget, zone = excluded.zone, ends_at = excluded.ends_at;
  return true;
end
$$;
