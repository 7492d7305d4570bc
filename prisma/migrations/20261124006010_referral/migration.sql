-- Referral links: who came by whose link, and what became of it. The points are a kind of entry of their own.
set local lock_timeout = '5s';

alter table ledger_entry drop constraint ledger_entry_kind,
  add constraint ledger_entry_kind check (kind in ('topup', 'voucher', 'grant', 'referral', 'refund', 'clawback', 'adjust_up', 'adjust_down')) not valid;

-- What the account's link ends with; it says nothing about the account.
alter table account add column referral_code text not null default substr(md5(gen_random_uuid()::text), 1, 16)
  constraint account_referral_code check (referral_code ~ '^[0-9a-f]{16}$');
create unique index account_referral_code_key on account (referral_code);

create table referral (
  -- Who came by the link: once.
  account_id  text primary key references account,
  referrer_id text not null references account,
  -- What each of both gets, as it was when the account was created.
  points      bigint not null check (points between 1 and 1000000000000000),
  created_at  timestamptz not null default now(),
  -- The first paid top-up, by which it is decided, and when its points were credited.
  payment_id  text unique references payment,
  paid_at     timestamptz,
  outcome     text check (outcome in ('rewarded', 'refunded', 'capped', 'off', 'same_person')),
  decided_at  timestamptz,
  check (account_id <> referrer_id),
  check ((outcome is null) = (decided_at is null)),
  check ((payment_id is null) = (paid_at is null)),
  check (outcome is null or payment_id is not null)
);
create index referral_referrer on referral (referrer_id, created_at desc, account_id);
create index referral_due on referral (paid_at) where decided_at is null and paid_at is not null;

-- The first payment whose points were credited is the one that counts, whatever comes after it.
create function referral_paid() returns trigger language plpgsql as $$
begin
  update referral set payment_id = new.id, paid_at = new.credited_at where account_id = new.account_id and payment_id is null;
  return null;
end $$;
create trigger payment_referral_paid after update of credited_at on payment for each row
  when (old.credited_at is null and new.credited_at is not null) execute function referral_paid();

-- Decides about an account that came by a link, once its first paid top-up is `days` old; gives both their points if nothing of the top-up
-- was refunded or is disputed, and the referrer has not reached a maximum (null: there is none). `refusal` is a reason of the caller's.
-- Answers what was decided now; null when nothing was, because it is too early or was done before.
create function referral_decide(referred text, days integer, month_max integer, total_max integer, refusal text) returns text
language plpgsql as $$
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
  -- One after the other for a referrer, so that what is counted below is what the others left; in the order of the end of an account.
  perform from (select id from account where id in (referred, referrer) order by id for no key update) locked;
  if exists (select from account where id in (referred, referrer) and status <> 'active') then return null; end if;
  select * into r from referral where account_id = referred and decided_at is null for update;
  if not found then return null; end if;
  if r.paid_at is null or r.paid_at > now() - make_interval(days => days) then return null; end if;
  select * into strict p from payment where id = r.payment_id for update;
  if exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'open') then return null; end if;
  if p.refunded > 0 or exists (select from payment_dispute d where d.payment_id = p.id and d.status = 'lost') then decided := 'refunded'; end if;
  select count(*), count(*) filter (where decided_at > now() - interval '30 days') into rewarded_before, rewarded_lately
    from referral where referrer_id = referrer and outcome = 'rewarded';
  if rewarded_before >= total_max or rewarded_lately >= month_max then decided := coalesce(decided, 'capped'); end if;
  decided := coalesce(decided, 'rewarded');
  update referral set outcome = decided, decided_at = clock_timestamp() where account_id = referred;
  if decided = 'rewarded' then
    -- In the order in which requests lock them.
    perform from (select w.account_id from wallet w where w.account_id in (referred, referrer) order by w.account_id for update) locked;
    if ledger_credit(referred, 'referral', referred || ':referred', r.points, 'Referral', 'system') not like 'd%'
      or ledger_credit(referrer, 'referral', referred || ':referrer', r.points, 'Referral', 'system') not like 'd%' then
      raise exception 'referral_decide: the points of % were not credited', referred using errcode = 'integrity_constraint_violation';
    end if;
  end if;
  return decided;
end $$;

-- Who leaves is in no open referral any more; what was decided stays with the ledger, under the accounts' ids.
create function referral_forget() returns trigger language plpgsql as $$
begin
  delete from referral where decided_at is null and (account_id = new.id or referrer_id = new.id);
  return null;
end $$;
create trigger account_referral_forget after update of status on account for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function referral_forget();
