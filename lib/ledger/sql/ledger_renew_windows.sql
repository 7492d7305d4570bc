-- Begins anew the windows of these keys and members that are over, and all those of tags where
-- requests have tags; what was opened in one ends without touching the next. Returns the time for
-- what is opened now: never before its windows, even if the clock went back.
create or replace function ledger_renew_windows(
  everyone text[], keys text[], members text[], tags jsonb[]
)
returns timestamptz language plpgsql as $$
declare
  moment timestamptz := clock_timestamp();
begin
  update api_key_budget b set (starts_at, ends_at, spent, held) =
      (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0
         from ledger_key_window(b.kind, b.zone, moment) w)
    where b.api_key_id = any(keys) and b.account_id = any(everyone) and b.ends_at <= moment;
  select greatest(moment, max(b.starts_at)) into moment from api_key_budget b
   where b.api_key_id = any(keys) and b.account_id = any(everyone) and b.zone is not null;
  if tags is not null then
    update tag_budget b set (starts_at, ends_at, spent, held) =
        (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0
           from ledger_key_window(b.kind, b.zone, moment) w)
      where b.account_id = any(everyone) and b.ends_at <= moment;
    select greatest(moment, max(b.starts_at)) into moment from tag_budget b
     where b.account_id = any(everyone);
  end if;
  if members is null then return moment; end if;
  update member_budget b set (starts_at, ends_at, spent, held) =
      (select greatest(w.starts_at, b.ends_at), w.ends_at, 0, 0
         from ledger_key_window(b.kind, b.zone, moment) w)
    where b.account_id = any(everyone) and b.user_id = any(members) and b.ends_at <= moment;
  select greatest(moment, max(b.starts_at)) into moment from member_budget b
   where b.account_id = any(everyone) and b.user_id = any(members);
  return moment;
end
$$;
