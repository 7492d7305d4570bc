-- Two more kinds of notifications: budgets of members that are used, for those who manage members, and for the member. While another
-- transaction uses the table, new ones would wait behind this one, so it gives up soon and is tried again at the next start.
set local lock_timeout = '5s';

alter table notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in ('balance_low', 'key_budget', 'member_budget', 'own_budget', 'key_paused', 'key_expiring',
                                           'payment_paid', 'payment_failed', 'topup_paused', 'task_finished', 'device_new', 'price_change',
                                           'webhook_paused')) not valid;
