-- What the first migration left out: the opening of an account, ended sessions, vouchers' credits, operators' actions.

-- The welcome grant decided when the account was made; opened_at is set once wallet and grant are there.
alter table account
  add column welcome_points bigint not null default 0 check (welcome_points between 0 and 1000000000000000),
  add column opened_at timestamptz;

-- Sessions signed out before their time; rows may go once the session would have expired.
create table ended_session (
  id         text primary key,
  expires_at timestamptz not null
);
create index ended_session_expiry on ended_session (expires_at);

create index sign_in_failure_at on sign_in_failure (at);

-- Redeemed but not yet credited vouchers are finished by whoever finds them.
alter table voucher
  add column credited_at timestamptz,
  add check (credited_at is null or redeemed_at is not null);
create index voucher_uncredited on voucher (redeemed_at) where redeemed_at is not null and credited_at is null;

-- What operators did, and what people did to the security of their accounts.
create table operator_action (
  id      bigint generated always as identity primary key,
  at      timestamptz not null default now(),
  actor   text not null,
  action  text not null,
  subject text not null,
  detail  jsonb not null default '{}'
);
create index operator_action_subject on operator_action (subject, at);
create function refuse_action_change() returns trigger language plpgsql as $$
begin
  raise exception 'operator_action is append-only';
end $$;
create trigger append_only before update or delete on operator_action for each row execute function refuse_action_change();
create trigger no_truncate before truncate on operator_action for each statement execute function refuse_action_change();

-- The multipliers' table has no id of its own: its changes are told by account.
create or replace function notify_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('relay_change', tg_table_name || ':' || coalesce(changed ->> 'id', changed ->> 'account_id', ''));
  return null;
end $$;
