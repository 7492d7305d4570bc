/** The audit's rules for tables that hold only what is now, or little: they are read whole. */
import { openRules, type Rule } from "./audit-requests";

export const stateRules: readonly Rule[] = [
  {
    name: "no wallet has negative available points or a negative counter",
    sql: `select account_id as broken from wallet
          where debits_posted + debits_pending > credits_posted or least(credits_posted, debits_posted, debits_pending, open_holds) < 0`,
  },
  ...openRules,
  {
    name: "every account whose keys, members or tags have a limit is marked so",
    sql: `select l.account_id || ' ' || l.of as broken
          from (select account_id, api_key_id as of from api_key_budget union all select account_id, user_id from member_budget
                union all select account_id, name from tag_budget) l
          left join wallet w using (account_id) where w.has_limits is distinct from true`,
  },
  {
    name: "every credited payment is one top-up of its points in its account, and every top-up of a payment is one that was paid",
    sql: `select coalesce(p.id, e.ref) as broken
          from (select * from payment where credited_at is not null and plan_id is null) p
          full join (select * from ledger_entry where kind = 'topup' and ref like 'pay\\_%') e on e.ref = p.id
          where (p.id is null and not exists (select from payment q where q.id = e.ref and q.paid_at is not null and q.plan_id is null))
             or (p.id is not null and (p.account_id, p.points) is distinct from (e.account_id, e.amount))`,
  },
  {
    name: "every period that a payment paid is one grant of its points to its account, and every grant of a payment is such a period",
    sql: `select coalesce(p.id, e.ref) as broken
          from (select u.*, n.period from payment u
                  cross join unnest(u.periods_before || case when u.period_number > 0 then array[u.period_number] end) n(period)) p
          full join (select * from ledger_entry where kind = 'plan' and actor like 'pay\\_%') e
            on e.ref = p.account_plan_id || ':' || p.period
          where (p.id, p.account_id, p.points) is distinct from (e.actor, e.account_id, e.amount)
          union all
          select 'payment ' || p.id from payment p left join account_plan a on a.id = p.account_plan_id
           where p.account_plan_id is not null and (a.account_id is distinct from p.account_id or p.status <> 'paid')`,
  },
  {
    name: "every rewarded referral is two entries of its points, for an account with a paid top-up and its referrer, and there are no others",
    sql: `select coalesce(x.ref, e.ref) as broken
          from (select y.*, r.points, r.account_id as referred, r.payment_id from referral r
                  cross join lateral (values (r.account_id, r.account_id || ':referred'), (r.referrer_id, r.account_id || ':referrer')) y(who, ref)
                 where r.outcome = 'rewarded') x
          full join (select * from ledger_entry where kind = 'referral') e on e.ref = x.ref
          where e.id is null or x.ref is null or (e.account_id, e.amount) is distinct from (x.who, x.points)
             or not exists (select from payment p where p.id = x.payment_id and p.account_id = x.referred and p.credited_at is not null)`,
  },
  {
    name: "the points taken back from every payment match the journal and, with the lost points, do not exceed its points",
    sql: `select coalesce(r.ref, e.ref, l.ref) || ': taken ' || coalesce(r.taken, 0) || ' of journal ' || coalesce(e.taken, 0)
                 || ', lost ' || coalesce(r.lost, 0) || ' of ' || coalesce(l.lost, 0) as broken
          from ledger_reversal r left join payment p on p.id = r.ref
          full join (select split_part(ref, ':', 1) as ref, account_id, sum(case kind when 'clawback' then amount else -amount end) as taken
                       from ledger_entry where kind in ('clawback', 'adjust_up') and ref like 'pay\\_%:%' group by 1, 2) e
            on e.ref = r.ref and e.account_id = r.account_id
          full join (select detail ->> 'ref' as ref, sum(estimate) as lost from operator_loss where cause = 'clawback_short' group by 1) l on l.ref = r.ref
          where r.ref is null or r.taken <> coalesce(e.taken, 0) or r.lost <> coalesce(l.lost, 0) or p.id is null or p.account_id <> r.account_id
             or r.taken + r.lost > p.points * p.periods`,
  },
  {
    name: "every credited voucher is one entry of its points in its account, and every entry of a voucher is one that was redeemed",
    sql: `select coalesce(v.id, e.ref) as broken
          from (select v.* from voucher v left join voucher_batch b on b.id = v.batch_id where v.credited_at is not null and b.plan_id is null) v
          full join (select * from ledger_entry where kind = 'voucher') e on e.ref = v.id
          where (v.id is null and not exists (select from voucher q where (q.id, q.redeemed_account_id, q.points) = (e.ref, e.account_id, e.amount)))
             or (v.id is not null and (v.redeemed_account_id, v.points) is distinct from (e.account_id, e.amount))`,
  },
];
