-- Plans: points for each period that end with it, in a group of accounts.
create table plan (
  id text primary key,
  name text not null check (length(name) between 1 and 80),
  -- In the operator's own words, for the buyer.
  note text check (length(note) between 1 and 200),
  -- Null: an account stays in the group that it is in.
  group_id text references account_group,
  -- Micropoints, for each period.
  points bigint not null check (points between 1 and 1000000000000000),
  period text not null,
  hours integer,
  -- How much of what is left goes on into the next period, in millionths.
  rollover_ppm integer not null default 0 check (rollover_ppm between 0 and 1000000),
  -- Of a period, in the currency's smallest unit; null: it is free.
  amount bigint check (amount between 1 and 99999999),
  currency text check (currency ~ '^[a-z]{3}$'),
  -- Whether customers see it. They choose it by themselves if it is free.
  is_offered boolean not null default false,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- Nobody is put on it any more.
  retired_at timestamptz,
  constraint plan_period check (period in ('day', 'week', 'month', 'hours')),
  constraint plan_hours check ((period = 'hours') = (hours is not null)
    and coalesce(hours, 1) between 1 and 8784),
  constraint plan_price check ((amount is null) = (currency is null))
);

-- An account on a plan. Its id is the source of the lots that it gives; `number` is the period that
-- runs, which is in their refs.
create table account_plan (
  id text primary key,
  account_id text not null references account,
  plan_id text not null references plan,
  -- From the next period on.
  next_plan_id text references plan,
  status text not null default 'active',
  -- The period from whose beginning the others count, so that they do not drift.
  anchor_at timestamptz not null,
  anchor_number integer not null default 1,
  number integer not null default 1,
  period_starts_at timestamptz not null,
  period_ends_at timestamptz not null,
  ends_with_period boolean not null default false,
  -- How many more periods were paid by vouchers; null: no number of them.
  periods_left integer check (periods_left >= 0),
  -- The group to which the account returns.
  group_before text references account_group on delete set null,
  created_by text not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint account_plan_status check (status in ('active', 'paused', 'ended')),
  constraint account_plan_period check (period_starts_at < period_ends_at
    and anchor_number between 1 and number),
  constraint account_plan_end check ((status = 'ended') = (ended_at is not null))
);
create unique index account_plan_current on account_plan (account_id) where status <> 'ended';
create index account_plan_due on account_plan (period_ends_at) where status <> 'ended';
create index account_plan_account on account_plan (account_id, created_at);

-- Vouchers of a plan put an account on it for a number of periods.
alter table voucher_batch
  add column plan_id text references plan,
  add column plan_periods integer check (plan_periods between 1 and 1000),
  add constraint voucher_batch_plan check ((plan_id is null) = (plan_periods is null));

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in ('balance_low',
  'key_budget', 'member_budget', 'own_budget', 'key_paused', 'key_expiring', 'points_ending',
  'payment_paid', 'payment_failed', 'topup_paused', 'task_finished', 'device_new', 'price_change',
  'webhook_paused', 'channel_down', 'channel_back', 'credential_refused', 'upstream_balance',
  'audit_failed', 'spool_used'));
