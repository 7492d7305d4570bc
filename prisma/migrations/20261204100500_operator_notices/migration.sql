-- What operators are told of: channels, the audit, and work that waited for the database.
alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in ('balance_low',
  'key_budget', 'member_budget', 'own_budget', 'key_paused', 'key_expiring', 'payment_paid',
  'payment_failed', 'topup_paused', 'task_finished', 'device_new', 'price_change',
  'webhook_paused', 'channel_down', 'channel_back', 'credential_refused', 'upstream_balance',
  'audit_failed', 'spool_used'));
