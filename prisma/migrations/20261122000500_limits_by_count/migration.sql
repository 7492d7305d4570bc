-- Limits by count, held however many insert at once.

-- After each row: locks the owner's rows of this table against other inserts until COMMIT, then counts.
-- Arguments: the most there may be, the column that names the owner ('': the whole table), which rows count.
create function limit_rows() returns trigger language plpgsql as $$
declare
  owner text := coalesce(to_jsonb(new) ->> tg_argv[1], '');
  counted bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_name || ':' || owner, 7275617));
  execute format('select count(*) from %I.%I where (%s) and (%s)', tg_table_schema, tg_table_name, tg_argv[2],
    case when tg_argv[1] = '' then 'true' else format('%I = $1', tg_argv[1]) end) into counted using owner;
  if counted > tg_argv[0]::bigint then
    raise exception 'limit of rows: % allows %', tg_name, tg_argv[0] using errcode = 'RL001', constraint = tg_name;
  end if;
  return null;
end $$;

-- A key that waits for its budget is revoked from its first moment and counts for a minute; in use it counts for good.
create trigger api_key_count after insert on api_key for each row
  execute function limit_rows('100', 'account_id', 'revoked_at is null or (revoked_at = created_at and created_at > now() - interval ''1 minute'')');
create trigger api_key_count_in_use after update of revoked_at on api_key for each row when (new.revoked_at is null and old.revoked_at is not null)
  execute function limit_rows('100', 'account_id', 'revoked_at is null');

create trigger payment_count after insert on payment for each row
  execute function limit_rows('20', 'account_id', 'created_at > now() - interval ''1 hour''');
create index payment_account_time on payment (account_id, created_at);

create trigger topup_package_count after insert on topup_package for each row execute function limit_rows('100', '', 'true');
create trigger user_identity_count after insert on user_identity for each row execute function limit_rows('20', 'user_id', 'true');
create index user_identity_user on user_identity (user_id);

-- A user has at most 100 sessions: one more ends those that were seen longest ago.
create function end_oldest_sessions() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_name || ':' || new.user_id, 7275617));
  with gone as (
    delete from user_session where id in
      (select id from user_session where user_id = new.user_id and id <> new.id order by last_seen_at desc, id desc offset 99)
    returning id, expires_at
  )
  insert into ended_session (id, expires_at) select id, expires_at from gone on conflict do nothing;
  return null;
end $$;
create trigger user_session_count after insert on user_session for each row execute function end_oldest_sessions();
