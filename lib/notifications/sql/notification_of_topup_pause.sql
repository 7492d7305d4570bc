-- An automatic top-up that was paused is told to its account, once for each pause.
create or replace function notification_of_topup_pause() returns trigger language plpgsql as $$
begin
  insert into notification (account_id, kind, dedupe_key, data)
    values (new.account_id, 'topup_paused',
    'topup_paused:' || new.account_id || ':' || extract(epoch from new.paused_at),
    jsonb_build_object('reason', new.paused, 'card', new.card_last4))
    on conflict (dedupe_key) do nothing;
  return null;
end
$$;

create or replace trigger notification_of_topup_pause after update of paused on auto_topup
  for each row when (new.paused is not null and old.paused is null)
  execute function notification_of_topup_pause();
