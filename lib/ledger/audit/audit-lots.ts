/** The audit's rules for lots: points that end. Few accounts have any, so they are read whole. */
import type { Rule } from "./audit-requests";

/** The sums of each account's lots. */
const sums = `(
  select account_id, sum(left_amount) as left_sum, sum(expired) as expired, sum(amount - left_amount - expired) as used
    from point_lot group by 1)`;

export const lotRules: readonly Rule[] = [
  {
    name: "every lot is of one entry of its account, with its points, and every entry of a plan has one",
    sql: `select coalesce('lot ' || l.id, 'entry ' || e.id) as broken
          from point_lot l full join (select * from ledger_entry x where x.kind = 'plan' or exists (select from point_lot y where y.entry_id = x.id)) e
            on e.id = l.entry_id
          where l.id is null or e.id is null or (l.account_id, l.amount, l.source) is distinct from (e.account_id, e.amount, split_part(e.ref, ':', 1))
             or e.kind in ('clawback', 'expiry', 'adjust_down')`,
  },
  {
    name: "what ended of every lot is the sum of its expiries in the journal, and no lot has more than its points",
    sql: `select coalesce('lot ' || l.id || ': ended ' || l.expired || ' in ' || l.expiries, e.lot) || ', journal ' || coalesce(e.total, 0) || ' in ' || coalesce(e.n, 0) as broken
          from point_lot l full join (
            select split_part(ref, ':', 2) as lot, account_id, sum(amount) as total, count(*) as n from ledger_entry where kind = 'expiry' group by 1, 2) e
            on e.lot = l.id::text and e.account_id = l.account_id
          where l.id is null or (l.expired, l.expiries) is distinct from (coalesce(e.total, 0), coalesce(e.n, 0))
             or l.left_amount < 0 or l.left_amount + l.expired > l.amount`,
  },
  {
    name: "no account's lots have more left than its wallet, nor did they lose more than was taken from it",
    sql: `select s.account_id || ': left ' || s.left_sum || ', used ' || s.used || ', ended ' || s.expired || ', counted ' || coalesce(m.debits_folded, -1) as broken
          from ${sums} s left join point_lot_mark m using (account_id) left join wallet w using (account_id)
          where w.account_id is null or m.debits_folded is null or m.debits_folded > w.debits_posted
             or s.used + s.expired > m.debits_folded
             or greatest(0, s.left_sum - (w.debits_posted - m.debits_folded)) > w.credits_posted - w.debits_posted`,
  },
];
