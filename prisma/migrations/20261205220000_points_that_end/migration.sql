-- Points that end: lots. What an account has beyond its lots has no end.
alter table ledger_entry drop constraint ledger_entry_kind;
alter table ledger_entry add constraint ledger_entry_kind check (kind in ('topup', 'voucher',
  'grant', 'plan', 'referral', 'refund', 'clawback', 'expiry', 'adjust_up', 'adjust_down'));

-- Points that were credited together and end together. They are used in the order of their end,
-- then of their age, and before points without an end. `left_amount` is as of the last event of the
-- account's lots; view `point_lot_now` counts what was spent since.
create table point_lot (
  id bigint generated always as identity primary key,
  account_id text not null references wallet,
  -- The entry that credited them.
  entry_id bigint not null unique references ledger_entry,
  -- The beginning of that entry's ref: what gives points again and again, such as a plan of an
  -- account.
  source text not null,
  amount bigint not null,
  left_amount bigint not null,
  -- Taken by entries of the kind `expiry`, and how many.
  expired bigint not null default 0,
  expiries integer not null default 0,
  ends_at timestamptz not null,
  constraint point_lot_amounts check (amount between 1 and 1000000000000000 and left_amount >= 0
    and expired >= 0 and left_amount + expired <= amount and (expired > 0) = (expiries > 0))
);
create index point_lot_account on point_lot (account_id, ends_at, id);
create index point_lot_ends on point_lot (ends_at) where left_amount > 0;

-- Accounts that have or had lots: up to which of the wallet's debits their lots are counted.
create table point_lot_mark (
  account_id text primary key references wallet,
  debits_folded bigint not null,
  constraint point_lot_mark_not_negative check (debits_folded >= 0)
);

-- Each lot as it is now: what is left of it, and how much of that open requests hold.
create view point_lot_now as
  select id, account_id, entry_id, source, amount, expired, ends_at, left_now,
      left_now - greatest(0, least(left_now, upto - spent - pending))::bigint as held_now
    from (
      select l.*, x.spent, x.pending, x.upto,
          greatest(0, least(l.left_amount, x.upto - x.spent))::bigint as left_now
        from point_lot l
        join lateral (
          select w.debits_posted - m.debits_folded as spent, w.debits_pending as pending,
              (select sum(b.left_amount) from point_lot b where b.account_id = l.account_id
                and b.left_amount > 0 and (b.ends_at, b.id) <= (l.ends_at, l.id)) as upto
            from wallet w join point_lot_mark m on m.account_id = w.account_id
           where w.account_id = l.account_id
        ) x on true
       where l.left_amount > 0
    ) counted;

create or replace view ledger_journal as
  select 'charge' as kind, id::text as ref, account_id, amount,
      'wallet:' || account_id as debit_account, 'system:revenue' as credit_account, ended_at
    from request where amount > 0
  union all
  select kind, ref, account_id, amount,
      case when kind in ('clawback', 'expiry', 'adjust_down')
        then 'wallet:' || account_id else 'system:' || kind end,
      case when kind in ('clawback', 'expiry', 'adjust_down')
        then 'system:' || kind else 'wallet:' || account_id end,
      created_at
    from ledger_entry;
