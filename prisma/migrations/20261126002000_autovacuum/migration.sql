-- When autovacuum comes to each table that changes all the time. The default waits until a fifth of a table is dead, which is a million rows
-- of a large one. A free part of each page (fillfactor) keeps the new version of a row on its page, where no index is changed, so that is set
-- where updates leave indexed columns alone. These settings block neither reads nor writes; they apply to what is written from now on.
set local lock_timeout = '5s';

-- Rows that are updated in place.
do $$
declare t text;
begin
  foreach t in array array['wallet', 'api_key_budget', 'member_budget', 'usage_day', 'usage_hour', 'usage_total_hour', 'usage_total_day', 'ledger_draft', 'node',
                           'channel_minute', 'channel_process', 'operator_action_head', 'ledger_seal_head', 'response_account'] loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500,
                                        autovacuum_analyze_scale_factor = 0.05)', t);
  end loop;
end $$;
alter table node set (fillfactor = 50, autovacuum_vacuum_threshold = 50);
alter table operator_action_head set (fillfactor = 10, autovacuum_vacuum_threshold = 50);
alter table ledger_seal_head set (fillfactor = 10, autovacuum_vacuum_threshold = 50);
alter table response_account set (fillfactor = 70);
-- The time of their last use.
alter table api_key set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
alter table user_session set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- Rows that come and go. The first is small and must stay so: vacuum does not pause in it.
alter table open_operation set (autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05);
alter table usage_waiting set (autovacuum_vacuum_cost_delay = 0);
alter table idempotent_request set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_vacuum_threshold = 2000);
alter table stored_response set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 2000);
do $$
declare t text;
begin
  foreach t in array array['callback_delivery', 'webhook_delivery', 'notification', 'notification_mail', 'notification_told', 'sign_in_failure',
                           'api_key_spend_mark', 'ended_session', 'playground_operation', 'media', 'image_result', 'video_task', 'ledger_apart'] loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
                                        autovacuum_analyze_scale_factor = 0.05)', t);
  end loop;
end $$;
alter table video_task set (autovacuum_vacuum_threshold = 500);

-- Rows that are only added: a vacuum marks them as seen by all and frozen, so that indexes alone can answer, and so that the counter of
-- transactions never asks for one of the whole table.
do $$
declare t text;
begin
  foreach t in array array['operation', 'settlement', 'ledger_entry', 'operator_loss', 'operator_action'] loop
    execute format('alter table %I set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
                                        autovacuum_analyze_scale_factor = 0.02)', t);
  end loop;
end $$;
