-- Makes what a user has new, since whoever used it before may have been a stranger. All that was
-- given or set until now is gone, except points, requests and results. Answers how much of each was
-- found. The caller has locked the members and changed the user's row: a session's own changes are
-- seen here, or find that it has ended.
create or replace function account_renew(renewed text) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  owned text[]; n integer; told integer;
  found jsonb := '{}';
begin
  select coalesce(array_agg(account_id order by account_id), '{}') into owned
    from account_member where user_id = renewed and role = 'owner';
  update account_invitation set revoked_at = now()
    where accepted_at is null and revoked_at is null and (account_id = any (owned)
      or created_by = renewed
      or created_by in (select id from management_key where created_by = renewed));
  get diagnostics n = row_count; found := found || jsonb_build_object('invitations', n);
  update api_key set revoked_at = now()
    where revoked_at is null and (account_id = any (owned) or created_by = renewed);
  get diagnostics n = row_count; found := found || jsonb_build_object('keys', n);
  update management_key set revoked_at = now()
    where revoked_at is null and (account_id = any (owned) or created_by = renewed);
  get diagnostics n = row_count; found := found || jsonb_build_object('managementKeys', n);
  update operator_key set revoked_at = now() where revoked_at is null and user_id = renewed;
  get diagnostics n = row_count; found := found || jsonb_build_object('operatorKeys', n);
  -- Nobody loses the membership of the own account.
  delete from account_member m where m.account_id = any (owned) and m.user_id <> renewed
    and not exists (select from "user" u where u.id = m.user_id and u.account_id = m.account_id);
  get diagnostics n = row_count; found := found || jsonb_build_object('members', n);
  select count(*) into told from account_member m, webhook_pause_made(m.account_id, renewed)
    where m.user_id = renewed and m.role <> 'owner';
  delete from account_member where user_id = renewed and role <> 'owner';
  get diagnostics n = row_count; found := found || jsonb_build_object('memberships', n);
  perform ledger_set_member_budget(account_id, user_id, kind, null, null)
    from member_budget where account_id = any (owned) and user_id = renewed;
  delete from webhook_endpoint where account_id = any (owned);
  get diagnostics n = row_count; found := found || jsonb_build_object('webhooks', n + told);
  perform plan_cancel_renewal(o.id) from unnest(owned) o(id);
  insert into stripe_removal (id) select card_id from auto_topup
    where account_id = any (owned) and card_id is not null on conflict do nothing;
  get diagnostics n = row_count; found := found || jsonb_build_object('cards', n);
  update auto_topup set is_on = false, card_id = null, card_brand = null, card_last4 = null,
    card_expires = null, paused = null, paused_at = null, failures = 0, retry_at = null,
    updated_at = now() where account_id = any (owned);
  -- A page that is still open saves no card any more.
  update card_checkout set finished_at = now()
    where account_id = any (owned) and finished_at is null;
  delete from account_billing where account_id = any (owned);
  get diagnostics n = row_count; found := found || jsonb_build_object('billing', n);
  delete from callback_delivery where account_id = any (owned)
    and delivered_at is null and given_up_at is null;
  update video_task set callback_url = null
    where account_id = any (owned) and callback_url is not null;
  get diagnostics n = row_count; found := found || jsonb_build_object('callbacks', n);
  delete from referral where account_id = any (owned) and decided_at is null;
  update account set name = null, low_balance_notice = null, low_balance_days = default,
    joins_retries = default, content_days = default, renewals = renewals + 1 where id = any (owned);
  update "user" set name = null, image = null where id = renewed;
  delete from notification_choice where user_id = renewed;
  delete from user_identity where user_id = renewed;
  get diagnostics n = row_count; found := found || jsonb_build_object('identities', n);
  delete from passkey where user_id = renewed;
  get diagnostics n = row_count; found := found || jsonb_build_object('passkeys', n);
  delete from user_totp where user_id = renewed;
  get diagnostics n = row_count; found := found || jsonb_build_object('apps', n);
  delete from recovery_code where user_id = renewed; delete from user_link where user_id = renewed;
  return found;
end
$$;
