-- A budget ends with the membership.
create or replace function member_budget_ends() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from wallet where account_id = old.account_id for update;
  delete from member_budget where account_id = old.account_id and user_id = old.user_id;
  if found then perform ledger_note_limits(old.account_id); end if;
  return null;
end
$$;

create or replace trigger member_budget_ends after delete on account_member
  for each row execute function member_budget_ends();
