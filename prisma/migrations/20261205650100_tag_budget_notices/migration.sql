alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check check (kind in ('balance_low',
  'key_budget', 'member_budget', 'own_budget', 'tag_budget', 'key_paused', 'key_expiring',
  'points_ending', 'payment_paid', 'payment_failed', 'topup_paused', 'task_finished', 'device_new',
  'price_change', 'webhook_paused', 'channel_down', 'channel_back', 'credential_refused',
  'upstream_balance', 'upstream_low', 'upstream_refilled', 'audit_failed', 'spool_used'));
