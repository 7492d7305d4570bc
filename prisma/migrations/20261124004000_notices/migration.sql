-- What people are told of, by mail and by signed webhook. While another transaction uses the tables, new ones would wait behind this one,
-- so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

-- The language of the mails: that of the last sign-in, or of the last choice on the page.
alter table "user" add column locale text check (locale in ('en', 'zh-CN'));
-- The balance counts as low if it lasts for fewer days at the rate of the last seven; null for never.
alter table account add column low_balance_days smallint default 3 check (low_balance_days between 1 and 90);

create table notification (
  id         text primary key default 'ntf_' || replace(gen_random_uuid()::text, '-', ''),
  account_id text not null references account,
  -- Null: for everyone of the account.
  user_id    text references "user" on delete cascade,
  kind       text not null check (kind in ('balance_low', 'key_budget', 'key_paused', 'key_expiring', 'payment_paid', 'payment_failed',
                                           'task_finished', 'device_new', 'price_change', 'webhook_paused')),
  -- Whatever crashes and whoever finds it: once.
  dedupe_key text not null unique check (length(dedupe_key) <= 200),
  data       jsonb not null check (octet_length(data::text) <= 65536),
  created_at timestamptz not null default now(),
  -- When its mails and webhook deliveries were written, in the same commit.
  handed_out_at timestamptz
);
create index notification_account on notification (account_id, created_at desc, id desc);
create index notification_age on notification (created_at);
create index notification_user on notification (user_id) where user_id is not null;
create index notification_waits on notification (created_at) where handed_out_at is null;

-- What was found already: a state that lasts has a row until it is over, an event has one until its time.
create table notification_told (
  account_id text not null references account,
  subject    text not null check (length(subject) <= 200),
  -- The window of a budget; empty without one.
  stamp      text not null default '',
  level      smallint not null default 0,
  until      timestamptz,
  primary key (account_id, subject)
);
create index notification_told_until on notification_told (until) where until is not null;

-- Where a person chose otherwise than the kind's own default.
create table notification_choice (
  user_id text not null references "user" on delete cascade,
  kind    text not null check (length(kind) <= 40),
  by_mail boolean not null,
  primary key (user_id, kind)
);

create table notification_mail (
  notification_id text not null references notification on delete cascade,
  user_id         text not null references "user" on delete cascade,
  attempts        smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until     timestamptz,
  sent_at         timestamptz,
  given_up_at     timestamptz,
  primary key (notification_id, user_id),
  constraint notification_mail_ends_once check (sent_at is null or given_up_at is null)
);
create index notification_mail_due on notification_mail (next_attempt_at) where sent_at is null and given_up_at is null;
create index notification_mail_user on notification_mail (user_id, sent_at);

create table webhook_endpoint (
  id             text primary key,
  account_id     text not null references account,
  url            text not null check (length(url) between 1 and 2048),
  kinds          text[] not null check (cardinality(kinds) between 1 and 20),
  -- Under a key derived from RELAY_SECRET: nonce (12 bytes), ciphertext, tag.
  sealed         bytea not null check (octet_length(sealed) between 29 and 200),
  -- The secret before; what is sent is signed with it too until then.
  old_sealed     bytea check (octet_length(old_sealed) between 29 and 200),
  old_until      timestamptz,
  created_at     timestamptz not null default now(),
  -- Since when no delivery was accepted; null after one that was.
  failing_since  timestamptz,
  paused_at      timestamptz,
  constraint webhook_endpoint_old check ((old_sealed is null) = (old_until is null))
);
create index webhook_endpoint_account on webhook_endpoint (account_id, created_at);
create trigger webhook_endpoint_count after insert on webhook_endpoint for each row execute function limit_rows('5', 'account_id', 'true');

create table webhook_delivery (
  id              bigint generated always as identity primary key,
  endpoint_id     text not null references webhook_endpoint on delete cascade,
  -- Null for a test.
  notification_id text references notification on delete cascade,
  attempts        smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until     timestamptz,
  -- An HTTP status, or `no answer`.
  last_answer     text check (length(last_answer) <= 200),
  created_at      timestamptz not null default now(),
  delivered_at    timestamptz,
  given_up_at     timestamptz,
  constraint webhook_delivery_once unique (endpoint_id, notification_id),
  constraint webhook_delivery_ends_once check (delivered_at is null or given_up_at is null)
);
create index webhook_delivery_due on webhook_delivery (next_attempt_at) where delivered_at is null and given_up_at is null;
create index webhook_delivery_log on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_notification on webhook_delivery (notification_id);
create index webhook_delivery_age on webhook_delivery (created_at);

-- Written in the commit of their cause.
create function notification_of_payment() returns trigger language plpgsql as $$
declare told text := case when new.status = 'failed' then 'payment_failed' else 'payment_paid' end;
begin
  insert into notification (account_id, kind, dedupe_key, data) values (new.account_id, told, told || ':' || new.id,
      jsonb_build_object('payment', new.id, 'points', trim_scale(new.points::numeric / 1000000)::text, 'amount', new.amount, 'currency', new.currency))
    on conflict (dedupe_key) do nothing;
  return null;
end $$;
create trigger notification_of_payment after update on payment for each row
  when (new.credited_at is not null and old.credited_at is null or new.status = 'failed' and old.status <> 'failed')
  execute function notification_of_payment();

create function notification_of_pause() returns trigger language plpgsql as $$
begin
  insert into notification (account_id, kind, dedupe_key, data) values (new.account_id, 'key_paused', 'key_paused:' || new.id || ':' || extract(epoch from new.paused_at),
      jsonb_build_object('keys', jsonb_build_array(jsonb_build_object('id', new.id, 'name', new.name,
        'spent_points', trim_scale(new.paused_spend::numeric / 1000000)::text, 'hourly_max_points', trim_scale(new.hourly_spend_max::numeric / 1000000)::text))))
    on conflict (dedupe_key) do nothing;
  return null;
end $$;
create trigger notification_of_pause after update of paused_at on api_key for each row
  when (new.paused_at is not null and old.paused_at is null and new.paused_spend is not null and new.revoked_at is null) execute function notification_of_pause();

-- Off by default, so nothing is written where nobody asked for it.
create function notification_of_task() returns trigger language plpgsql as $$
begin
  if exists (select from webhook_endpoint e where e.account_id = new.account_id and e.paused_at is null and 'task_finished' = any(e.kinds))
     or exists (select from notification_choice c join "user" u on u.id = c.user_id
                 where u.account_id = new.account_id and c.kind = 'task_finished' and c.by_mail) then
    insert into notification (account_id, kind, dedupe_key, data) values (new.account_id, 'task_finished', 'task_finished:' || new.id,
        jsonb_build_object('task', new.id, 'model', new.model, 'status', new.status))
      on conflict (dedupe_key) do nothing;
  end if;
  return null;
end $$;
create trigger notification_of_task after update of status on video_task for each row
  when (old.status in ('queued', 'running') and new.status not in ('queued', 'running')) execute function notification_of_task();

-- An account that is closed takes all of it with it, however it is closed.
create function notification_end() returns trigger language plpgsql as $$
begin
  delete from webhook_endpoint where account_id = new.id;
  delete from notification where account_id = new.id;
  delete from notification_told where account_id = new.id;
  return null;
end $$;
create trigger notification_end after update of status on account for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function notification_end();
