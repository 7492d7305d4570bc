-- Decides about an account that came by a link, once its first paid top-up is `days` old; gives
-- both their points if nothing of the top-up was refunded or is disputed, and the referrer has not
-- reached a maximum (null: there is none). `refusal` is a reason of the caller's. Answers what was
-- decided now; null when nothing was, because it is too early or was done before.
create or replace function referral_decide(
  referred text, days integer, month_max integer, total_max integer, refusal text
) returns text
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  referrer text;
  r referral;
  p payment;
  decided text := refusal;
  rewarded_before bigint;
  rewarded_lately bigint;
begin
  select referrer_id into referrer from referral where account_id = referred and decided_at is null;
  if not found then return null; end if;
  -- One after the other for a referrer, so that what is counted below is what the others left; in
  -- the order of the end of an account.
  perform from (select id from account where id in (referred, referrer)
    order by id for no key update) locked;
  if exists (select from account where id in (referred, referrer) and status <> 'active') then
    return null;
  end if;
  select * into r from referral where account_id = referred and decided_at is null for update;
  if not found then return null; end if;
  if r.paid_at is null or r.paid_at > now() - make_interval(days => days) then return null; end if;
  select * into strict p from payment where id = r.payment_id for update;
  if exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'open') then
    return null;
  end if;
  if p.refunded > 0
    or exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'lost') then
    decided := 'refunded';
  end if;
  select count(*), count(*) filter (where decided_at > now() - interval '30 days')
    into rewarded_before, rewarded_lately
    from referral where referrer_id = referrer and outcome = 'rewarded';
  if rewarded_before >= total_max or rewarded_lately >= month_max then
    decided := coalesce(decided, 'capped');
  end if;
  decided := coalesce(decided, 'rewarded');
  update referral set outcome = decided, decided_at = clock_timestamp() where account_id = referred;
  if decided = 'rewarded' then
    -- In the order in which requests lock them.
    perform from (select w.account_id from wallet w where w.account_id in (referred, referrer)
      order by w.account_id for update) locked;
    if ledger_credit(referred, 'referral', referred || ':referred', r.points, 'Referral',
      'system') not like 'd%'
      or ledger_credit(referrer, 'referral', referred || ':referrer', r.points, 'Referral',
        'system') not like 'd%' then
      raise exception 'referral_decide: the points of % were not credited', referred
        using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  return decided;
end
$$;
