-- What operators do and say, and what people are told.

-- What operators did, and what people did to the security of their accounts.
create table operator_action (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null default '{}',
  -- Its place in the chain; `hash` is of the hash before and of the row.
  seq bigint not null,
  previous_hash bytea not null,
  hash bytea not null,
  constraint operator_action_seq unique (seq)
) with (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_insert_threshold = 10000);
create index operator_action_subject on operator_action (subject, at);
create index operator_action_actor on operator_action (actor, seq);
create index operator_action_action on operator_action (action, seq);

-- The last row of operator_action, by its number and hash.
create table operator_action_head (
  only_one boolean primary key default true check (only_one),
  seq bigint not null,
  hash bytea not null check (octet_length(hash) = 32)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 50, fillfactor = 10);

-- Settings that hold without a restart; what is not here comes from the environment or is the
-- default.
create table live_setting (
  name text primary key,
  value jsonb not null check (pg_column_size(value) <= 4096),
  updated_at timestamptz not null default now(),
  updated_by text not null
);

-- What the pages tell everyone from one moment to another.
create table notice (
  id text primary key,
  level text not null check (level in ('info', 'warning')),
  text_en text not null check (length(text_en) between 1 and 500),
  text_zh text not null check (length(text_zh) between 1 and 500),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at >= starts_at),
  created_at timestamptz not null default now(),
  created_by text not null
);
create index notice_ends on notice (ends_at);

-- What operators tell everyone about trouble. Nothing that was said is changed or removed; the last
-- update says how it stands.
create table incident (
  id text primary key,
  title_en text,
  title_zh text,
  -- The models concerned; none: the whole service.
  models text[] not null,
  began_at timestamptz not null,
  -- When the first update after all others that says so was written; null while it goes on. Only a
  -- trigger writes it.
  resolved_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint incident_title_en check (length(title_en) between 1 and 120),
  constraint incident_title_zh check (length(title_zh) between 1 and 120),
  constraint incident_has_title check (num_nonnulls(title_en, title_zh) > 0),
  constraint incident_models check (cardinality(models) <= 50
    and array_position(models, null) is null),
  constraint incident_began check (began_at <= created_at + interval '1 minute')
);
create index incident_began_at on incident (began_at);
create index incident_open on incident (id) where resolved_at is null;

-- What was said about an incident, one after the other.
create table incident_update (
  incident_id text not null references incident,
  -- From 1; a trigger counts.
  number integer not null default 0,
  state text not null,
  text_en text,
  text_zh text,
  created_at timestamptz not null default now(),
  created_by text not null,
  primary key (incident_id, number),
  constraint incident_update_state check (state in ('investigating', 'identified', 'monitoring',
    'resolved')),
  constraint incident_update_text_en check (length(text_en) between 1 and 1000),
  constraint incident_update_text_zh check (length(text_zh) between 1 and 1000),
  constraint incident_update_has_text check (num_nonnulls(text_en, text_zh) > 0)
);

-- Something that an account, or one user of it, is told.
create table notification (
  id text primary key default 'ntf_' || replace(gen_random_uuid()::text, '-', ''),
  account_id text not null references account,
  -- Null: for everyone of the account.
  user_id text references "user" on delete cascade,
  kind text not null,
  -- Whatever crashes and whoever finds it: once.
  dedupe_key text not null unique check (length(dedupe_key) <= 200),
  data jsonb not null check (octet_length(data::text) <= 65536),
  created_at timestamptz not null default now(),
  -- When its mails and webhook deliveries were written, in the same commit.
  handed_out_at timestamptz,
  constraint notification_kind_check check (kind in ('balance_low', 'key_budget', 'member_budget',
    'own_budget', 'key_paused', 'key_expiring', 'payment_paid', 'payment_failed', 'topup_paused',
    'task_finished', 'device_new', 'price_change', 'webhook_paused'))
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index notification_account on notification (account_id, created_at desc, id desc);
create index notification_age on notification (created_at);
create index notification_user on notification (user_id) where user_id is not null;
create index notification_waits on notification (created_at) where handed_out_at is null;

-- What was found already: a state that lasts has a row until it is over, an event has one until its
-- time.
create table notification_told (
  account_id text not null references account,
  subject text not null check (length(subject) <= 200),
  -- The window of a budget; empty without one.
  stamp text not null default '',
  level smallint not null default 0,
  until timestamptz,
  primary key (account_id, subject)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index notification_told_until on notification_told (until) where until is not null;

-- Where a person chose otherwise than the kind's own default.
create table notification_choice (
  user_id text not null references "user" on delete cascade,
  kind text not null check (length(kind) <= 40),
  by_mail boolean not null,
  primary key (user_id, kind)
);

-- A mail about a notification that is to be sent.
create table notification_mail (
  notification_id text not null references notification on delete cascade,
  user_id text not null references "user" on delete cascade,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  sent_at timestamptz,
  given_up_at timestamptz,
  primary key (notification_id, user_id),
  constraint notification_mail_ends_once check (sent_at is null or given_up_at is null)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index notification_mail_due on notification_mail (next_attempt_at)
  where sent_at is null and given_up_at is null;
create index notification_mail_user on notification_mail (user_id, sent_at);

-- An address to which an account has its notifications sent.
create table webhook_endpoint (
  id text primary key,
  account_id text not null references account,
  url text not null check (length(url) between 1 and 2048),
  kinds text[] not null check (cardinality(kinds) between 1 and 20),
  -- Under a key derived from RELAY_SECRET: nonce (12 bytes), ciphertext, tag.
  sealed bytea not null check (octet_length(sealed) between 29 and 200),
  -- The secret before; what is sent is signed with it too until then.
  old_sealed bytea check (octet_length(old_sealed) between 29 and 200),
  old_until timestamptz,
  created_at timestamptz not null default now(),
  -- Since when no delivery was accepted; null after one that was.
  failing_since timestamptz,
  paused_at timestamptz,
  constraint webhook_endpoint_old check ((old_sealed is null) = (old_until is null))
);
create index webhook_endpoint_account on webhook_endpoint (account_id, created_at);

-- A notification, or a test, that is to be sent to an address.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  endpoint_id text not null references webhook_endpoint on delete cascade,
  -- Null for a test.
  notification_id text references notification on delete cascade,
  attempts smallint not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  -- An HTTP status, or `no answer`.
  last_answer text check (length(last_answer) <= 200),
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  given_up_at timestamptz,
  constraint webhook_delivery_once unique (endpoint_id, notification_id),
  constraint webhook_delivery_ends_once check (delivered_at is null or given_up_at is null)
) with (autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 1000);
create index webhook_delivery_due on webhook_delivery (next_attempt_at)
  where delivered_at is null and given_up_at is null;
create index webhook_delivery_log on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_notification on webhook_delivery (notification_id);
create index webhook_delivery_age on webhook_delivery (created_at);

insert into operator_action_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));
