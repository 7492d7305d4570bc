-- What a running process keeps in memory of these tables is dropped at once when they change, and
-- who sends what waits in a table is woken: tells the table and the row's id, or its account where
-- it has none.
create or replace function notify_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('relay_change',
    tg_table_name || ':' || coalesce(changed ->> 'id', changed ->> 'account_id', ''));
  return null;
end
$$;

create or replace trigger notify_change after insert
  or update of status, multiplier_ppm, own_multiplier_ppm, group_id on account
  for each row execute function notify_change();
create or replace trigger notify_change after insert or update or delete on account_group
  for each row execute function notify_change();
create or replace trigger notify_change after insert or update or delete on account_model_multiplier
  for each row execute function notify_change();
create or replace trigger notify_addresses after update of allowed_addresses on api_key
  for each row execute function notify_change();
create or replace trigger notify_change after insert
  or update of requests_per_minute, models, expires_at, revoked_at on api_key
  for each row execute function notify_change();
create or replace trigger notify_pause after update of paused_at on api_key
  for each row execute function notify_change();
create or replace trigger notify_change after insert or update or delete on channel
  for each row execute function notify_change();
create or replace trigger notify_change after insert or update or delete on live_setting
  for each row execute function notify_change();
create or replace trigger notify_change after insert or update on model
  for each row execute function notify_change();
create or replace trigger notify_change after insert or update or delete on notice
  for each row execute function notify_change();
create or replace trigger notify_change after insert on price_version
  for each row execute function notify_change();
create or replace trigger notify_change after insert on callback_delivery
  for each row execute function notify_change();
create or replace trigger notify_change after insert on notification
  for each row execute function notify_change();
create or replace trigger notify_change after insert on webhook_delivery
  for each row execute function notify_change();
