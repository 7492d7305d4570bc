-- An account has members: users with a role. A user's own account stays in "user".account_id: it is where the user lands without having
-- chosen another, and it ends with the user's closing it. While another transaction uses the tables, new ones would wait behind this one,
-- so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

-- Null: the pages show the owner's address.
alter table account add column name text check (length(name) between 1 and 80);

create table account_member (
  account_id text not null references account,
  user_id    text not null references "user" on delete cascade,
  role       text not null check (role in ('owner', 'admin', 'developer', 'viewer', 'billing')),
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);
create index account_member_user on account_member (user_id, account_id);

-- Nobody has shared an account yet. Where somebody did so by other means, the first user owns it.
insert into account_member (account_id, user_id, role)
  select account_id, id, case when row_number() over (partition by account_id order by created_at, id) = 1 then 'owner' else 'admin' end from "user";

create unique index account_member_one_owner on account_member (account_id) where role = 'owner';
create trigger account_member_count after insert on account_member for each row execute function limit_rows('100', 'account_id', 'true');
create trigger account_member_count_of_user after insert on account_member for each row execute function limit_rows('50', 'user_id', 'true');

-- Processes of the release before write only "user".
create function user_joins_own_account() returns trigger language plpgsql as $$
begin
  insert into account_member (account_id, user_id, role) values (new.account_id, new.id,
      case when exists (select from account_member where account_id = new.account_id and role = 'owner') then 'admin' else 'owner' end)
    on conflict do nothing;
  return null;
end $$;
create trigger user_joins_own_account after insert or update of account_id on "user" for each row execute function user_joins_own_account();

-- With the unique index: exactly one owner, from the first one until the account is closed.
create function account_keeps_owner() returns trigger language plpgsql as $$
begin
  if not exists (select from account_member where account_id = old.account_id and role = 'owner')
     and exists (select from account where id = old.account_id and status <> 'closed') then
    raise exception 'account % would have no owner', old.account_id using errcode = 'restrict_violation', constraint = 'account_keeps_owner';
  end if;
  return null;
end $$;
create constraint trigger account_keeps_owner after delete or update on account_member deferrable initially deferred
  for each row when (old.role = 'owner') execute function account_keeps_owner();

-- Nobody loses the membership of the own account while it is that. No foreign key: two tables that refer to each other cannot be restored
-- from a backup one after the other.
create function user_keeps_own_account() returns trigger language plpgsql as $$
begin
  if exists (select from "user" u join account a on a.id = u.account_id
              where u.id = old.user_id and u.account_id = old.account_id and a.status <> 'closed')
     and not exists (select from account_member where account_id = old.account_id and user_id = old.user_id) then
    raise exception 'user % would not be a member of the own account', old.user_id
      using errcode = 'restrict_violation', constraint = 'user_keeps_own_account';
  end if;
  return null;
end $$;
create constraint trigger user_keeps_own_account after delete or update of account_id, user_id on account_member
  deferrable initially deferred for each row execute function user_keeps_own_account();

-- An account that is closed loses its members, however it is closed.
create function account_loses_members() returns trigger language plpgsql as $$
begin
  delete from account_member where account_id = new.id;
  update account set name = null where id = new.id and name is not null;
  return null;
end $$;
create trigger account_loses_members after update of status on account for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function account_loses_members();

-- The account that a session shows; null for the user's own. It counts only as long as the user is a member.
alter table user_session add column account_id text;

create function account_member_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', 'account_member:' || case when tg_op = 'DELETE' then old.user_id else new.user_id end);
  return null;
end $$;
create trigger account_member_changed after insert or update or delete on account_member for each row execute function account_member_changed();

-- As before, for every member.
create or replace function notification_of_task() returns trigger language plpgsql as $$
begin
  if exists (select from webhook_endpoint e where e.account_id = new.account_id and e.paused_at is null and 'task_finished' = any(e.kinds))
     or exists (select from account_member m join notification_choice c on c.user_id = m.user_id
                 where m.account_id = new.account_id and c.kind = 'task_finished' and c.by_mail) then
    insert into notification (account_id, kind, dedupe_key, data) values (new.account_id, 'task_finished', 'task_finished:' || new.id,
        jsonb_build_object('task', new.id, 'model', new.model, 'status', new.status))
      on conflict (dedupe_key) do nothing;
  end if;
  return null;
end $$;
