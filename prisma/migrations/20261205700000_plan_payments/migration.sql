-- Periods of plans that are paid by card. A payment of a plan pays for one period: once it is
-- paid, the period waits in the plan of the account (`account_plan_id`) until it begins
-- (`period_number`; 0: it cannot begin any more).
alter table payment
  add column plan_id text references plan,
  add column account_plan_id text references account_plan,
  add column period_number integer check (period_number >= 0),
  -- Points to be taken back of its period, by the money that was given back when that was decided.
  add column period_dues jsonb not null default '{}' check (pg_column_size(period_dues) <= 8192),
  add constraint payment_of_plan check ((plan_id is not null and credited_at is not null)
    = (account_plan_id is not null)),
  add constraint payment_period check (period_number is null or account_plan_id is not null);
create unique index payment_period_once on payment (account_plan_id, period_number)
  where period_number > 0;
create index payment_waiting on payment (account_plan_id)
  where account_plan_id is not null and period_number is null;

alter table account_plan
  -- What the saved card is charged for the period after those that are paid, as it was agreed to;
  -- null: nothing. It is of the plan that follows, if another one does.
  add column renewal_points bigint check (renewal_points between 1 and 1000000000000000),
  add column renewal_amount bigint check (renewal_amount between 1 and 99999999),
  add column renewal_currency text check (renewal_currency ~ '^[a-z]{3}$'),
  -- Charges that failed since one was paid, or since a card was saved.
  add column failures smallint not null default 0 check (failures between 0 and 100),
  -- Why the last charge failed; null: none since a payment.
  add column failure text check (failure in ('needs_person', 'card_declined', 'card_gone')),
  -- Null with failures: a person must do something first.
  add column retry_at timestamptz,
  -- When the plan ends unless it is paid.
  add column unpaid_until timestamptz,
  add constraint account_plan_renewal check (num_nulls(renewal_points, renewal_amount,
    renewal_currency) in (0, 3)),
  add constraint account_plan_cancelled check (not ends_with_period or renewal_amount is null),
  add constraint account_plan_unpaid check ((failure is null) = (unpaid_until is null));

-- Null: of an automatic top-up.
alter table auto_topup_charge add column account_plan_id text references account_plan;
drop index auto_topup_charge_open;
-- An account has at most one of each that is not over.
create unique index auto_topup_charge_open on auto_topup_charge (account_id)
  where ended_at is null and account_plan_id is null;
create unique index plan_charge_open on auto_topup_charge (account_plan_id) where ended_at is null;

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in ('balance_low',
  'key_budget', 'member_budget', 'own_budget', 'tag_budget', 'key_paused', 'key_expiring',
  'points_ending', 'payment_paid', 'payment_failed', 'topup_paused', 'plan_unpaid',
  'task_finished', 'device_new', 'price_change', 'webhook_paused', 'channel_down', 'channel_back',
  'credential_refused', 'upstream_balance', 'upstream_low', 'upstream_refilled', 'audit_failed',
  'spool_used'));
