-- How points are bought: vouchers, payments, automatic top-ups, invoices, referrals.

-- Vouchers that were made together.
create table voucher_batch (
  id text primary key,
  name text not null check (length(name) between 1 and 80),
  -- Micropoints, of each voucher.
  points bigint not null check (points between 1 and 1000000000000000),
  count integer not null check (count between 1 and 1000),
  expires_at timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  cancelled_at timestamptz
);
create index voucher_batch_created on voucher_batch (created_at desc, id desc);

-- A code that adds points once. Only its hash is kept.
create table voucher (
  id text primary key,
  code_hash bytea not null unique check (octet_length(code_hash) = 32),
  -- Micropoints.
  points bigint not null check (points between 1 and 1000000000000000),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  redeemed_at timestamptz,
  redeemed_account_id text references account,
  credited_at timestamptz,
  batch_id text references voucher_batch,
  cancelled_at timestamptz,
  check ((redeemed_at is null) = (redeemed_account_id is null)),
  check (credited_at is null or redeemed_at is not null),
  check (cancelled_at is null or redeemed_at is null)
);
create index voucher_uncredited on voucher (redeemed_at)
  where redeemed_at is not null and credited_at is null;
create index voucher_batch_id on voucher (batch_id, id);

-- Points that are for sale.
create table topup_package (
  id text primary key,
  name text not null check (length(name) between 1 and 80),
  -- In the operator's own words, for the buyer.
  note text check (length(note) between 1 and 200),
  -- Micropoints.
  points bigint not null check (points between 1 and 1000000000000000),
  -- In the currency's smallest unit.
  amount bigint not null check (amount between 1 and 99999999),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  is_enabled boolean not null default true,
  position integer not null default 0,
  created_at timestamptz not null default now()
);

-- A purchase. What was offered is copied: a package that changes later changes no payment.
create table payment (
  id text primary key,
  number bigint generated always as identity unique,
  account_id text not null references account,
  package_id text not null,
  package_name text not null,
  -- Micropoints.
  points bigint not null check (points between 1 and 1000000000000000),
  -- In the currency's smallest unit.
  amount bigint not null check (amount between 1 and 99999999),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  status text not null default 'created' check (status in ('created', 'pending', 'paid', 'failed',
    'expired')),
  session_id text unique,
  intent_id text unique,
  -- Given back by the payment provider in all, smallest unit.
  refunded bigint not null default 0 check (refunded between 0 and amount),
  -- Why an operator should look at it; null: nothing, or seen.
  attention text check (length(attention) between 1 and 80),
  created_at timestamptz not null default now(),
  checked_at timestamptz,
  paid_at timestamptz,
  -- Set once the ledger has the points.
  credited_at timestamptz,
  check ((status = 'paid') = (paid_at is not null)),
  check (credited_at is null or paid_at is not null)
);
create index payment_account on payment (account_id, id desc);
create index payment_open on payment (created_at) where status in ('created', 'pending');
create index payment_uncredited on payment (paid_at)
  where paid_at is not null and credited_at is null;
create index payment_attention on payment (created_at) where attention is not null;
create index payment_account_time on payment (account_id, created_at);

-- A buyer's dispute of a payment. Amounts are in the currency's smallest unit.
create table payment_dispute (
  id text primary key,
  payment_id text not null references payment,
  amount bigint not null check (amount >= 0),
  status text not null check (status in ('open', 'won', 'lost')),
  created_at timestamptz not null default now()
);
create index payment_dispute_payment on payment_dispute (payment_id);

-- Every event of the payment provider once, by its id, with the few facts that are needed of it.
create table payment_event (
  id text primary key check (length(id) between 1 and 255),
  type text not null check (length(type) between 1 and 100),
  intent_id text,
  facts jsonb not null check (pg_column_size(facts) <= 4096),
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  outcome text check (length(outcome) between 1 and 40),
  check ((handled_at is null) = (outcome is null))
);
create index payment_event_unhandled on payment_event (received_at) where handled_at is null;
create index payment_event_early on payment_event (intent_id) where outcome = 'no_payment';
-- Refunds are read by the payment that they belong to.
create index payment_event_intent on payment_event (intent_id) where intent_id is not null;

-- A page of the payment provider on which a card is saved: with a payment, or without.
create table card_checkout (
  id text primary key,
  account_id text not null references account,
  customer_id text not null,
  started_by text not null,
  session_id text unique,
  payment_id text references payment,
  created_at timestamptz not null default now(),
  checked_at timestamptz,
  finished_at timestamptz
);
create index card_checkout_open on card_checkout (created_at) where finished_at is null;
create index card_checkout_account on card_checkout (account_id, created_at);

-- The saved card of an account, and when it is charged.
create table auto_topup (
  account_id text primary key references account,
  -- The payment provider's names of the buyer and of the card; of the card itself, only what pages
  -- show.
  customer_id text not null unique check (length(customer_id) between 1 and 255),
  card_id text check (length(card_id) between 1 and 255),
  card_brand text check (length(card_brand) between 1 and 40),
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  card_expires text check (card_expires ~ '^[0-9]{4}-[0-9]{2}$'),
  is_on boolean not null default false,
  -- The terms that the buyer agreed to. A package that changes later is not charged.
  package_id text references topup_package,
  points bigint check (points between 1 and 1000000000000000),
  amount bigint check (amount between 1 and 99999999),
  currency text check (currency ~ '^[a-z]{3}$'),
  threshold bigint check (threshold between 1 and points),
  -- The most that may be charged in a calendar month (UTC), in the currency's smallest unit.
  month_max bigint check (month_max between amount and 99999999),
  paused text check (paused in ('needs_person', 'card_declined', 'card_gone', 'package_changed',
    'money_back')),
  paused_at timestamptz,
  -- Charges that failed since the last one that did not.
  failures smallint not null default 0 check (failures between 0 and 100),
  retry_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint auto_topup_card check (num_nulls(card_id, card_brand, card_last4, card_expires) in (0,
    4)),
  constraint auto_topup_terms check (num_nulls(package_id, points, amount, currency, threshold,
    month_max) in (0, 6)),
  constraint auto_topup_on check (not is_on or (card_id is not null and package_id is not null)),
  constraint auto_topup_paused check ((paused is null) = (paused_at is null))
);
create index auto_topup_on on auto_topup (account_id) where is_on and paused is null;

-- One for each time that a balance fell below its threshold. It is committed before the card is
-- charged, and its payment's id is the key under which the payment provider charges it once.
create table auto_topup_charge (
  payment_id text primary key references payment,
  account_id text not null references account,
  customer_id text not null,
  card_id text not null,
  created_at timestamptz not null default now(),
  -- What the payment provider said of the card, before anything else is done about it.
  failure text check (failure in ('needs_person', 'card_declined', 'card_gone', 'unsent')),
  -- Over when its points are credited, or when it is certain that nothing was charged.
  ended_at timestamptz,
  outcome text check (outcome in ('credited', 'needs_person', 'card_declined', 'card_gone',
    'unsent')),
  constraint auto_topup_charge_end check ((ended_at is null) = (outcome is null))
);
-- An account has at most one that is not over.
create unique index auto_topup_charge_open on auto_topup_charge (account_id) where ended_at is null;
create index auto_topup_charge_account on auto_topup_charge (account_id, created_at);

-- Cards and customers that the payment provider is to forget.
create table stripe_removal (
  id text primary key check (length(id) between 1 and 255),
  created_at timestamptz not null default now(),
  tried_at timestamptz
);

-- What invoices name as the buyer.
create table account_billing (
  account_id text primary key references account,
  name text not null check (length(name) between 1 and 200),
  address text not null default '' check (length(address) <= 500),
  tax_number text not null default '' check (length(tax_number) <= 60),
  updated_at timestamptz not null default now()
);

-- The buyer and the seller of a payment, as they were when it was paid.
create table receipt_parties (
  payment_id text primary key references payment,
  -- Null: the account never had billing details.
  buyer jsonb check (octet_length(buyer::text) <= 8192),
  seller jsonb not null check (octet_length(seller::text) <= 8192),
  created_at timestamptz not null default now()
);

-- The last number that was given. Its row is locked until the invoice is committed, so no number is
-- left out or given twice.
create table invoice_counter (
  id integer primary key default 1 check (id = 1),
  last bigint not null default 0
);

-- An invoice of a month: the figures that it is made of, which never change.
create table invoice (
  id text primary key,
  number bigint not null unique,
  account_id text not null references account,
  month date not null check (extract(day from month) = 1),
  figures jsonb not null check (octet_length(figures::text) <= 1048576),
  created_at timestamptz not null default now(),
  constraint invoice_once unique (account_id, month)
);
create index invoice_month on invoice (month, number);

-- An account that came by another one's link, and what was decided about the points for both.
create table referral (
  -- Who came by the link: once.
  account_id text primary key references account,
  referrer_id text not null references account,
  -- Micropoints that each of both gets, as it was when the account was created.
  points bigint not null check (points between 1 and 1000000000000000),
  created_at timestamptz not null default now(),
  -- The first paid top-up, by which it is decided, and when its points were credited.
  payment_id text unique references payment,
  paid_at timestamptz,
  outcome text check (outcome in ('rewarded', 'refunded', 'capped', 'off', 'same_person')),
  decided_at timestamptz,
  check (account_id <> referrer_id),
  check ((outcome is null) = (decided_at is null)),
  check ((payment_id is null) = (paid_at is null)),
  check (outcome is null or payment_id is not null)
);
create index referral_referrer on referral (referrer_id, created_at desc, account_id);
create index referral_due on referral (paid_at) where decided_at is null and paid_at is not null;

insert into invoice_counter default values;
