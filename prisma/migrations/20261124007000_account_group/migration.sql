-- Groups of accounts: a multiplier for all models or by model, and the models that the group may see. An account's own multiplier wins.

create table account_group (
  id             text primary key,
  name           text not null,
  -- Null for the list price.
  multiplier_ppm integer,
  -- Empty for all.
  models         text[] not null default '{}',
  created_at     timestamptz not null default now(),
  created_by     text not null,
  constraint account_group_id check (id ~ '^grp_[0-9a-z]{1,60}$'),
  constraint account_group_name check (length(name) between 1 and 60 and name = btrim(name)),
  constraint account_group_multiplier_ppm check (multiplier_ppm between 1 and 100000000),
  constraint account_group_models check (cardinality(models) <= 200 and array_position(models, null) is null)
);
-- Two groups that differ only in capital letters would be mistaken for each other.
create unique index account_group_name_once on account_group (lower(name));
create trigger account_group_count after insert on account_group for each row execute function limit_rows('100', '', 'true');

create table account_group_multiplier (
  group_id       text not null references account_group on delete cascade,
  model          text not null references model,
  multiplier_ppm integer not null,
  primary key (group_id, model),
  constraint account_group_multiplier_ppm check (multiplier_ppm between 1 and 100000000)
);
create trigger account_group_multiplier_count after insert on account_group_multiplier
  for each row execute function limit_rows('200', 'group_id', 'true');

-- No action on delete: a group with members cannot be deleted.
alter table account add column group_id text references account_group;
create index account_group_member on account (group_id) where group_id is not null;

-- Null: the account has no multiplier of its own, and its group's applies. Until now there were no groups, and 1 meant the same.
alter table account add column own_multiplier_ppm integer constraint account_own_multiplier_ppm check (own_multiplier_ppm between 1 and 100000000);
update account set own_multiplier_ppm = multiplier_ppm where multiplier_ppm <> 1000000;

-- Processes of the release before read and write multiplier_ppm, in which no multiplier is 1. Both columns follow each other.
create function account_own_multiplier() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.own_multiplier_ppm is null and new.multiplier_ppm <> 1000000 then new.own_multiplier_ppm := new.multiplier_ppm; end if;
  elsif new.own_multiplier_ppm is not distinct from old.own_multiplier_ppm and new.multiplier_ppm <> old.multiplier_ppm then
    new.own_multiplier_ppm := nullif(new.multiplier_ppm, 1000000);
  end if;
  new.multiplier_ppm := coalesce(new.own_multiplier_ppm, 1000000);
  return new;
end $$;
create trigger account_own_multiplier before insert or update of multiplier_ppm, own_multiplier_ppm on account
  for each row execute function account_own_multiplier();

-- A closed account leaves its group.
create function account_leaves_group() returns trigger language plpgsql as $$
begin
  new.group_id := null;
  return new;
end $$;
create trigger account_leaves_group before insert or update on account for each row
  when (new.status = 'closed' and new.group_id is not null) execute function account_leaves_group();

drop trigger notify_change on account;
create trigger notify_change after insert or update of status, multiplier_ppm, own_multiplier_ppm, group_id on account for each row execute function notify_change();
create trigger notify_change after insert or update or delete on account_group for each row execute function notify_change();

create function account_group_told() returns trigger language plpgsql as $$
begin
  perform pg_notify('relay_change', 'account_group:' || case when tg_op = 'DELETE' then old.group_id else new.group_id end);
  return null;
end $$;
create trigger notify_change after insert or update or delete on account_group_multiplier for each row execute function account_group_told();
