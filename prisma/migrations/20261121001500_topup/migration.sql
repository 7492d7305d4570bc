-- Top-up: vouchers in batches, packages that are sold, payments with what the payment provider told of them,
-- what was taken back of them, and the runs of the ledger's audit.

create table voucher_batch (
  id           text primary key,
  name         text not null check (length(name) between 1 and 80),
  points       bigint not null check (points between 1 and 1000000000000000),
  count        integer not null check (count between 1 and 1000),
  expires_at   timestamptz,
  created_by   text not null,
  created_at   timestamptz not null default now(),
  cancelled_at timestamptz
);
create index voucher_batch_created on voucher_batch (created_at desc, id desc);

alter table voucher
  add column batch_id text references voucher_batch,
  add column cancelled_at timestamptz,
  add check (cancelled_at is null or redeemed_at is null);
create index voucher_batch_id on voucher (batch_id, id);

create table topup_package (
  id         text primary key,
  name       text not null check (length(name) between 1 and 80),
  -- In the operator's own words, for the buyer.
  note       text check (length(note) between 1 and 200),
  points     bigint not null check (points between 1 and 1000000000000000),
  -- In the currency's smallest unit.
  amount     bigint not null check (amount between 1 and 99999999),
  currency   text not null check (currency ~ '^[a-z]{3}$'),
  is_enabled boolean not null default true,
  position   integer not null default 0,
  created_at timestamptz not null default now()
);

-- What was offered is copied: a package that changes later changes no payment.
create table payment (
  id           text primary key,
  number       bigint generated always as identity unique,
  account_id   text not null references account,
  package_id   text not null,
  package_name text not null,
  points       bigint not null check (points between 1 and 1000000000000000),
  amount       bigint not null check (amount between 1 and 99999999),
  currency     text not null check (currency ~ '^[a-z]{3}$'),
  status       text not null default 'created' check (status in ('created', 'pending', 'paid', 'failed', 'expired')),
  session_id   text unique,
  intent_id    text unique,
  -- Given back by the payment provider in all, smallest unit.
  refunded     bigint not null default 0 check (refunded between 0 and amount),
  -- Why an operator should look at it; null: nothing, or seen.
  attention    text check (length(attention) between 1 and 80),
  created_at   timestamptz not null default now(),
  checked_at   timestamptz,
  paid_at      timestamptz,
  -- Set once the ledger has the points.
  credited_at  timestamptz,
  check ((status = 'paid') = (paid_at is not null)),
  check (credited_at is null or paid_at is not null)
);
create index payment_account on payment (account_id, id desc);
create index payment_open on payment (created_at) where status in ('created', 'pending');
create index payment_uncredited on payment (paid_at) where paid_at is not null and credited_at is null;
create index payment_attention on payment (created_at) where attention is not null;

create table payment_dispute (
  id         text primary key,
  payment_id text not null references payment,
  amount     bigint not null check (amount >= 0),
  status     text not null check (status in ('open', 'won', 'lost')),
  created_at timestamptz not null default now()
);
create index payment_dispute_payment on payment_dispute (payment_id);

-- Every event of the payment provider once, by its id, with the few facts that are needed of it.
create table payment_event (
  id          text primary key check (length(id) between 1 and 255),
  type        text not null check (length(type) between 1 and 100),
  intent_id   text,
  facts       jsonb not null check (pg_column_size(facts) <= 4096),
  received_at timestamptz not null default now(),
  handled_at  timestamptz,
  outcome     text check (length(outcome) between 1 and 40),
  check ((handled_at is null) = (outcome is null))
);
create index payment_event_unhandled on payment_event (received_at) where handled_at is null;
create index payment_event_early on payment_event (intent_id) where outcome = 'no_payment';

-- What was taken back of what was credited under a ref: `taken` left the wallet, `lost` could not.
create table ledger_reversal (
  ref        text primary key check (length(ref) between 1 and 150),
  account_id text not null references wallet,
  taken      bigint not null default 0,
  lost       bigint not null default 0,
  moves      integer not null default 0,
  constraint ledger_reversal_amounts check (taken >= 0 and lost >= 0)
);

-- Takes points back until `due` of them are taken or lost, gives back what was taken beyond it, and writes down as a loss what is
-- certain (`certain` <= `due`) and not there to be taken. Asked again with the same sums it changes nothing.
-- Answers what it moved: taken (negative: given back) and lost, as <taken>:<lost>.
create function ledger_reverse(account text, of_ref text, due bigint, certain bigint, why text) returns text language plpgsql as $$
declare
  available bigint;
  r ledger_reversal;
  takes bigint := 0;
  loses bigint := 0;
begin
  if due < 0 or certain < 0 or certain > due then
    raise exception 'ledger_reverse: due % and certain % are not right', due, certain using errcode = 'integrity_constraint_violation';
  end if;
  select credits_posted - debits_posted - debits_pending into strict available from wallet where account_id = account for update;
  insert into ledger_reversal (ref, account_id) values (of_ref, account) on conflict do nothing;
  select * into strict r from ledger_reversal where ref = of_ref and account_id = account for update;
  takes := greatest(least(due - r.taken - r.lost, available), -r.taken);
  loses := greatest(certain - r.taken - takes - r.lost, 0);
  if takes > 0 then
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'clawback', of_ref || ':' || r.moves + 1, takes, why, 'system');
    update wallet set debits_posted = debits_posted + takes, version = version + 1 where account_id = account;
  elsif takes < 0 then
    insert into ledger_entry (account_id, kind, ref, amount, reason, actor)
      values (account, 'adjust_up', of_ref || ':' || r.moves + 1, -takes, why, 'system');
    update wallet set credits_posted = credits_posted - takes, version = version + 1 where account_id = account;
  end if;
  if loses > 0 then
    insert into operator_loss (cause, estimate, detail)
      values ('clawback_short', loses, jsonb_build_object('ref', of_ref, 'account', account, 'move', r.moves + 1));
  end if;
  if takes <> 0 or loses <> 0 then
    update ledger_reversal set taken = taken + takes, lost = lost + loses, moves = moves + 1 where ref = of_ref;
  end if;
  return takes || ':' || loses;
end $$;

-- Brings the points of a credited payment in line with what of it was refunded and is disputed. Rounded down: the buyer keeps the fraction.
create function payment_reverse(payment_id text) returns text language plpgsql as $$
declare
  p payment;
  disputed bigint;
  lost bigint;
begin
  select * into p from payment where id = payment_id for update;
  if not found or p.credited_at is null then return '0:0'; end if;
  select coalesce(sum(d.amount) filter (where d.status = 'open'), 0), coalesce(sum(d.amount) filter (where d.status = 'lost'), 0)
    into disputed, lost from payment_dispute d where d.payment_id = p.id;
  if p.refunded + disputed + lost = 0 and not exists (select from ledger_reversal where ref = p.id) then return '0:0'; end if;
  return ledger_reverse(p.account_id, p.id,
    div(p.points::numeric * least(p.refunded + disputed + lost, p.amount), p.amount)::bigint,
    div(p.points::numeric * least(p.refunded + lost, p.amount), p.amount)::bigint, 'Payment refunded or disputed');
end $$;

create table ledger_audit_run (
  id          bigint generated always as identity primary key,
  actor       text not null,
  started_at  timestamptz not null default now(),
  finished_at timestamptz not null,
  is_clean    boolean not null,
  accounts    bigint not null,
  entries     bigint not null,
  -- Only the checks that failed, with their first few rows.
  broken      jsonb not null default '[]'
);
create index ledger_audit_run_started on ledger_audit_run (started_at desc);
