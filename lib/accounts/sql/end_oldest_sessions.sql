-- A user has at most 100 sessions: one more ends those that were seen longest ago.
create or replace function end_oldest_sessions() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_name || ':' || new.user_id, 7275617));
  with gone as (
    delete from user_session where id in
      (select id from user_session where user_id = new.user_id and id <> new.id
        order by last_seen_at desc, id desc offset 99)
    returning id, expires_at
  )
  insert into ended_session (id, expires_at) select id, expires_at from gone on conflict do nothing;
  return null;
end
$$;

create or replace trigger user_session_count after insert on user_session
  for each row execute function end_oldest_sessions();
