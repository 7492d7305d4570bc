-- What is left of our own account at a channel's upstream, for each credential; '' where there is
-- only one. Amounts are millionths.
create table upstream_balance (
  channel_id text not null references channel on delete cascade,
  credential text not null default '' check (length(credential) <= 40),
  -- Null where it was not read, or the upstream has no address for it.
  amount bigint,
  currency text check (currency ~ '^([A-Z]{3}|points)$'),
  read_at timestamptz,
  -- Why the last reading gave none; null where it gave one.
  failed text,
  next_at timestamptz not null default now(),
  -- Below this amount operators are told. It stands in the row without a credential, for all.
  alarm_below bigint check (alarm_below > 0),
  low_since timestamptz,
  primary key (channel_id, credential),
  constraint upstream_balance_known check ((amount is null) = (currency is null))
);

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in ('balance_low',
  'key_budget', 'member_budget', 'own_budget', 'key_paused', 'key_expiring', 'points_ending',
  'payment_paid', 'payment_failed', 'topup_paused', 'task_finished', 'device_new', 'price_change',
  'webhook_paused', 'channel_down', 'channel_back', 'credential_refused', 'upstream_balance',
  'upstream_low', 'upstream_refilled', 'audit_failed', 'spool_used'));
