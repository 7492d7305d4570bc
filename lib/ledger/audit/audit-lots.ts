/** The audit's rules for lots: points that end. */
import type { Rule } from "./audit-requests";
import type { Scope } from "./audit-scope";
import { takesPoints } from "./entry-kinds";

/** Those that are not used up, and those of new entries; or all. */
const lotsOf = ({ isNew, entries }: Scope) =>
  isNew
    ? `(select * from point_lot where left_amount > 0
        union select l.* from ${entries} e join point_lot l on l.entry_id = e.id
        union select l.* from ${entries} e join point_lot l on l.id = split_part(e.ref, ':', 2)::bigint where e.kind = 'expiry')`
    : "point_lot";

export const lotRules = (scope: Scope): readonly Rule[] => [
  {
    name: "every lot is of one entry of its account, with its points, and every entry of a plan has one",
    sql: `select 'lot ' || l.id as broken from ${lotsOf(scope)} l left join ledger_entry e on e.id = l.entry_id
           where e.id is null or (l.account_id, l.amount, l.source) is distinct from (e.account_id, e.amount, split_part(e.ref, ':', 1))
              or ${takesPoints}
          union all
          select 'entry ' || e.id from ${scope.entries} e where e.kind = 'plan' and not exists (select from point_lot l where l.entry_id = e.id)`,
  },
  {
    name: "what ended of every lot is the sum of its expiries in the journal, and no lot has more than its points",
    sql: `select 'lot ' || l.id || ': ended ' || l.expired || ', journal ' || e.total as broken from ${lotsOf(scope)} l
            cross join lateral (select coalesce(sum(e.amount), 0) as total, count(*) as n from generate_series(1, l.expiries) n
                    join ledger_entry e on e.kind = 'expiry' and e.ref = 'lot:' || l.id || ':' || n and e.account_id = l.account_id) e
           where (l.expired, l.expiries) is distinct from (e.total, e.n) or l.left_amount < 0 or l.left_amount + l.expired > l.amount
          union all
          select 'entry ' || e.id from ${scope.entries} e where e.kind = 'expiry' and not exists (
            select from point_lot l where l.id::text = split_part(e.ref, ':', 2) and l.account_id = e.account_id
               and split_part(e.ref, ':', 3)::integer between 1 and l.expiries)`,
  },
  {
    name: "no account's lots have more left than its wallet, nor did they lose more than was taken from it",
    sql: `select s.account_id || ': left ' || s.left_sum || ', lost ' || s.lost || ', counted ' || coalesce(m.debits_folded, -1) as broken
          from (select account_id, sum(left_amount) as left_sum, sum(amount - left_amount) as lost from ${lotsOf(scope)} l group by 1) s
          left join point_lot_mark m using (account_id) left join wallet w using (account_id)
          where w.account_id is null or m.debits_folded is null or m.debits_folded > w.debits_posted or s.lost > m.debits_folded
             or greatest(0, s.left_sum - (w.debits_posted - m.debits_folded)) > w.credits_posted - w.debits_posted`,
  },
];
