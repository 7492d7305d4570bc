-- Automatic top-up by a saved card. While another transaction uses the tables, new ones would wait behind this one, so it gives up soon
-- and is tried again at the next start.
set local lock_timeout = '5s';

create table auto_topup (
  account_id  text primary key references account,
  -- The payment provider's names of the buyer and of the card; of the card itself, only what pages show.
  customer_id text not null unique check (length(customer_id) between 1 and 255),
  card_id     text check (length(card_id) between 1 and 255),
  card_brand  text check (length(card_brand) between 1 and 40),
  card_last4  text check (card_last4 ~ '^[0-9]{4}$'),
  card_expires text check (card_expires ~ '^[0-9]{4}-[0-9]{2}$'),
  is_on       boolean not null default false,
  -- The terms that the buyer agreed to. A package that changes later is not charged.
  package_id  text references topup_package,
  points      bigint check (points between 1 and 1000000000000000),
  amount      bigint check (amount between 1 and 99999999),
  currency    text check (currency ~ '^[a-z]{3}$'),
  threshold   bigint check (threshold between 1 and points),
  -- The most that may be charged in a calendar month (UTC), in the currency's smallest unit.
  month_max   bigint check (month_max between amount and 99999999),
  paused      text check (paused in ('needs_person', 'card_declined', 'card_gone', 'package_changed', 'money_back')),
  paused_at   timestamptz,
  -- Charges that failed since the last one that did not.
  failures    smallint not null default 0 check (failures between 0 and 100),
  retry_at    timestamptz,
  updated_at  timestamptz not null default now(),
  constraint auto_topup_card check (num_nulls(card_id, card_brand, card_last4, card_expires) in (0, 4)),
  constraint auto_topup_terms check (num_nulls(package_id, points, amount, currency, threshold, month_max) in (0, 6)),
  constraint auto_topup_on check (not is_on or (card_id is not null and package_id is not null)),
  constraint auto_topup_paused check ((paused is null) = (paused_at is null))
);
create index auto_topup_on on auto_topup (account_id) where is_on and paused is null;

-- One for each time that a balance fell below its threshold. It is committed before the card is charged, and its payment's id is the
-- key under which the payment provider charges it once.
create table auto_topup_charge (
  payment_id  text primary key references payment,
  account_id  text not null references account,
  customer_id text not null,
  card_id     text not null,
  created_at  timestamptz not null default now(),
  -- What the payment provider said of the card, before anything else is done about it.
  failure     text check (failure in ('needs_person', 'card_declined', 'card_gone', 'unsent')),
  -- Over when its points are credited, or when it is certain that nothing was charged.
  ended_at    timestamptz,
  outcome     text check (outcome in ('credited', 'needs_person', 'card_declined', 'card_gone', 'unsent')),
  constraint auto_topup_charge_end check ((ended_at is null) = (outcome is null))
);
-- An account has at most one that is not over.
create unique index auto_topup_charge_open on auto_topup_charge (account_id) where ended_at is null;
create index auto_topup_charge_account on auto_topup_charge (account_id, created_at);

create function auto_topup_charge_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'a charge is never deleted' using errcode = 'integrity_constraint_violation'; end if;
  if (new.payment_id, new.account_id, new.customer_id, new.card_id, new.created_at)
      is distinct from (old.payment_id, old.account_id, old.customer_id, old.card_id, old.created_at)
    or (old.ended_at is not null and (new.ended_at is null or new.outcome <> 'credited')) then
    raise exception 'the terms and the end of a charge do not change' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger auto_topup_charge_kept before update or delete on auto_topup_charge for each row execute function auto_topup_charge_kept();

-- A page of the payment provider on which a card is saved: with a payment, or without.
create table card_checkout (
  id          text primary key,
  account_id  text not null references account,
  customer_id text not null,
  started_by  text not null,
  session_id  text unique,
  payment_id  text references payment,
  created_at  timestamptz not null default now(),
  checked_at  timestamptz,
  finished_at timestamptz
);
create index card_checkout_open on card_checkout (created_at) where finished_at is null;
create index card_checkout_account on card_checkout (account_id, created_at);
create trigger card_checkout_count after insert on card_checkout for each row
  execute function limit_rows('20', 'account_id', 'created_at > now() - interval ''1 hour''');

-- Cards and customers that the payment provider is to forget.
create table stripe_removal (
  id         text primary key check (length(id) between 1 and 255),
  created_at timestamptz not null default now(),
  tried_at   timestamptz
);

-- Whoever credits the points.
create function auto_topup_credited() returns trigger language plpgsql as $$
begin
  update auto_topup_charge set ended_at = coalesce(ended_at, now()), outcome = 'credited' where payment_id = new.id;
  if found then update auto_topup set failures = 0, retry_at = null where account_id = new.account_id; end if;
  return null;
end $$;
create trigger payment_auto_topup_credited after update of credited_at on payment for each row
  when (old.credited_at is null and new.credited_at is not null) execute function auto_topup_credited();

-- Points that are taken back lower the balance: that is no reason to charge the card again.
create function auto_topup_money_back() returns trigger language plpgsql as $$
begin
  update auto_topup set paused = 'money_back', paused_at = now()
   where is_on and paused is null and account_id = (select account_id from payment where id = to_jsonb(new) ->> tg_argv[0]);
  return null;
end $$;
create trigger payment_auto_topup_refunded after update of refunded on payment for each row
  when (new.refunded > old.refunded) execute function auto_topup_money_back('id');
create trigger payment_auto_topup_disputed after insert on payment_dispute for each row execute function auto_topup_money_back('payment_id');

-- Who leaves has no saved card, and is forgotten by the payment provider.
create function auto_topup_end() returns trigger language plpgsql as $$
begin
  insert into stripe_removal (id) select customer_id from auto_topup where account_id = new.id on conflict do nothing;
  delete from auto_topup where account_id = new.id;
  return null;
end $$;
create trigger account_auto_topup_end after update of status on account for each row
  when (new.status = 'closed' and old.status <> 'closed') execute function auto_topup_end();

alter table notification drop constraint notification_kind_check,
  add constraint notification_kind_check check (kind in ('balance_low', 'key_budget', 'key_paused', 'key_expiring', 'payment_paid', 'payment_failed',
                                           'topup_paused', 'task_finished', 'device_new', 'price_change', 'webhook_paused')) not valid;

create function notification_of_topup_pause() returns trigger language plpgsql as $$
begin
  insert into notification (account_id, kind, dedupe_key, data) values (new.account_id, 'topup_paused',
      'topup_paused:' || new.account_id || ':' || extract(epoch from new.paused_at),
      jsonb_build_object('reason', new.paused, 'card', new.card_last4))
    on conflict (dedupe_key) do nothing;
  return null;
end $$;
create trigger notification_of_topup_pause after update of paused on auto_topup for each row
  when (new.paused is not null and old.paused is null) execute function notification_of_topup_pause();
