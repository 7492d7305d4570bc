-- A key that was paused for its spending is told to its account, once for each pause.
create or replace function notification_of_pause() returns trigger language plpgsql as $$
begin
  insert into notification (account_id, kind, dedupe_key, data)
    values (new.account_id, 'key_paused',
      'key_paused:' || new.id || ':' || extract(epoch from new.paused_at),
      jsonb_build_object('keys', jsonb_build_array(jsonb_build_object(
        'id', new.id,
        'name', new.name,
        'spent_points', trim_scale(new.paused_spend::numeric / 1000000)::text,
        'hourly_max_points', trim_scale(new.hourly_spend_max::numeric / 1000000)::text
      ))))
    on conflict (dedupe_key) do nothing;
  return null;
end
$$;

create or replace trigger notification_of_pause after update of paused_at on api_key
  for each row when (new.paused_at is not null and old.paused_at is null
    and new.paused_spend is not null and new.revoked_at is null)
  execute function notification_of_pause();
