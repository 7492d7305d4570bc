-- After each row: locks the owner's rows of this table against other inserts until COMMIT, then
-- counts. Arguments: the most there may be, the column that names the owner ('': the whole table),
-- which rows count, where `($2)` is the new one.
create or replace function limit_rows() returns trigger language plpgsql as $$
declare
  owner text := coalesce(to_jsonb(new) ->> tg_argv[1], '');
  counted bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_name || ':' || owner, 7275617));
  execute format('select count(*) from %I.%I where (%s) and (%s)', tg_table_schema, tg_table_name,
    tg_argv[2], case when tg_argv[1] = '' then 'true' else format('%I = $1', tg_argv[1]) end)
    into counted using owner, new;
  if counted > tg_argv[0]::bigint then
    raise exception 'limit of rows: % allows %', tg_name, tg_argv[0]
      using errcode = 'RL001', constraint = tg_name;
  end if;
  return null;
end
$$;

do $$
declare
  l record;
begin
  for l in
    select * from (values
      ('account_group', 'account_group_count', '100', '', 'true'),
      ('account_group_multiplier', 'account_group_multiplier_count', '200', 'group_id', 'true'),
      ('account_invitation', 'account_invitation_count', '20', 'account_id',
        'accepted_at is null and revoked_at is null and expires_at > now()'),
      ('account_invitation', 'account_invitation_count_of_day', '100', 'account_id',
        'created_at > now() - interval ''1 day'''),
      ('account_member', 'account_member_count', '100', 'account_id', 'true'),
      ('account_member', 'account_member_count_of_user', '50', 'user_id', 'true'),
      -- A key that waits for its budget is revoked from its first moment, and counts for a minute.
      ('api_key', 'api_key_count', '100', 'account_id', 'revoked_at is null'
        ' or (revoked_at = created_at and created_at > now() - interval ''1 minute'')'),
      -- Nobody else could make keys until the owner revokes some.
      ('api_key', 'api_key_count_of_developer', '50', 'account_id', 'created_by = ($2).created_by'
        ' and (revoked_at is null'
        ' or (revoked_at = created_at and created_at > now() - interval ''1 minute''))'
        ' and exists (select from account_member m where m.account_id = $1'
        ' and m.user_id = ($2).created_by and m.role not in (''owner'', ''admin''))'),
      ('card_checkout', 'card_checkout_count', '20', 'account_id',
        'created_at > now() - interval ''1 hour'''),
      ('incident', 'incident_open_count', '20', '', 'resolved_at is null'),
      ('incident_update', 'incident_update_count', '50', 'incident_id', 'true'),
      ('management_key', 'management_key_count', '20', 'account_id', 'revoked_at is null'),
      ('model', 'model_count', '2000', '', 'true'),
      ('operator_key', 'operator_key_count', '20', 'user_id', 'revoked_at is null'),
      ('plan', 'plan_count', '100', '', 'retired_at is null'),
      ('payment', 'payment_count', '20', 'account_id', 'created_at > now() - interval ''1 hour'''),
      ('topup_package', 'topup_package_count', '100', '', 'true'),
      ('user_identity', 'user_identity_count', '20', 'user_id', 'true'),
      ('webhook_endpoint', 'webhook_endpoint_count', '5', 'account_id', 'true')
    ) as l(tab, name, most, owner, counts)
  loop
    execute format('create or replace trigger %I after insert on %I for each row'
      ' execute function limit_rows(%L, %L, %L)', l.name, l.tab, l.most, l.owner, l.counts);
  end loop;
end $$;
-- What comes back counts again.
create or replace trigger api_key_count_in_use after update of revoked_at on api_key
  for each row when (new.revoked_at is null and old.revoked_at is not null)
  execute function limit_rows('100', 'account_id', 'revoked_at is null');
create or replace trigger incident_open_count_again after update on incident
  for each row when (new.resolved_at is null and old.resolved_at is not null)
  execute function limit_rows('20', '', 'resolved_at is null');
