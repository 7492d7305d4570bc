/**
 * The audit of the ledger: plain SQL over the tables. It shares no code with the writer, so that a
 * fault of the writer cannot hide itself.
 */
import type pg from "pg";
import { leaseChecks } from "./audit-leases";
import { usageChecks } from "./audit-usage";

interface AuditCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Empty when the check holds; otherwise the first few rows that violate it. */
  readonly detail: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly checks: AuditCheck[];
  readonly accounts: number;
  readonly entries: number;
}

/** Each query returns the rows that violate its statement, as one text column named `broken`. */
const checks: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: "every wallet's credits are the sum of its credits in the journal",
    sql: `select w.account_id || ': wallet ' || w.credits_posted || ', journal ' || coalesce(j.total, 0) as broken from wallet w
          full join (select account_id, sum(amount) as total from ledger_entry where kind in ('topup', 'voucher', 'grant', 'referral', 'refund', 'adjust_up')
                      group by 1) j using (account_id)
          where w.account_id is null or w.credits_posted <> coalesce(j.total, 0)`,
  },
  {
    name: "every wallet's debits are the sum of its charges and other debits in the journal",
    sql: `select w.account_id || ': wallet ' || w.debits_posted || ', journal ' || coalesce(j.total, 0) as broken from wallet w
          full join (select account_id, sum(amount) as total from (
                       select account_id, amount from settlement where outcome = 'settled'
                       union all select account_id, amount from ledger_entry where kind in ('clawback', 'adjust_down')) d group by 1) j using (account_id)
          where w.account_id is null or w.debits_posted <> coalesce(j.total, 0)`,
  },
  {
    name: "every wallet's pending points and open holds are those of its operations without settlement",
    sql: `select w.account_id || ': wallet ' || w.debits_pending || ' in ' || w.open_holds || ', operations ' || coalesce(o.total, 0) || ' in ' || coalesce(o.n, 0) as broken
          from wallet w
          full join (select o.account_id, sum(o.hold_amount) as total, count(*) as n from operation o
                      where not exists (select from settlement s where s.operation_id = o.id) group by 1) o using (account_id)
          where w.account_id is null or w.debits_pending <> coalesce(o.total, 0) or w.open_holds <> coalesce(o.n, 0)`,
  },
  {
    name: "no wallet has negative available points or a negative counter",
    sql: `select account_id as broken from wallet
          where debits_posted + debits_pending > credits_posted or least(credits_posted, debits_posted, debits_pending, open_holds) < 0`,
  },
  {
    name: "the queue holds exactly the operations without settlement",
    sql: `select coalesce(q.operation_id, o.id) || case when o.id is null then ': queued, but settled or absent' else ': unsettled, but not queued' end as broken
          from open_operation q
          full join (select id from operation o where not exists (select from settlement s where s.operation_id = o.id)) o on o.id = q.operation_id
          where q.operation_id is null or o.id is null`,
  },
  {
    name: "every queue entry has the account, key, model and hold of its operation",
    sql: `select q.operation_id::text as broken from open_operation q join operation o on o.id = q.operation_id
          where (q.account_id, q.api_key_id, q.model, q.hold_amount) is distinct from (o.account_id, o.api_key_id, o.model, o.hold_amount)`,
  },
  {
    name: "every settlement ends an operation, with the same account and hold",
    sql: `select s.operation_id::text as broken from settlement s left join operation o on o.id = s.operation_id
          where o.id is null or o.account_id <> s.account_id or o.hold_amount <> s.hold_amount`,
  },
  {
    name: "no operation was ended twice",
    sql: "select operation_id::text as broken from settlement group by operation_id having count(*) > 1",
  },
  {
    name: "every settlement is between 0 and its hold; a release charges nothing and has a reason",
    sql: `select operation_id::text as broken from settlement
          where amount not between 0 and hold_amount or (outcome = 'released' and (amount <> 0 or reason is null)) or outcome not in ('settled', 'released')`,
  },
  {
    name: "every charge has reported usage",
    sql: `select operation_id::text as broken from settlement
          where outcome = 'settled' and (usage is null or input_tokens is null or output_tokens is null or input_tokens < 0 or output_tokens < 0)`,
  },
  {
    name: "what a settlement counts by unit adds up to its tokens",
    sql: `select s.operation_id || ': ' || s.input_tokens || ' and ' || s.output_tokens || ' tokens, ' || q.counted as broken
          from settlement s, lateral (select s.usage -> 'quantities' as counted) q, lateral (
            select coalesce(sum(value::text::numeric) filter (where key in ('input_token', 'cached_input_token', 'cache_write_token')), 0) as input,
                   coalesce(sum(value::text::numeric) filter (where key in ('output_token', 'reasoning_token', 'image_token', 'video_token')), 0) as output
              from jsonb_each(case jsonb_typeof(q.counted) when 'object' then q.counted else '{}' end)) tokens
          where jsonb_typeof(q.counted) = 'object' and (s.input_tokens, s.output_tokens) is distinct from (tokens.input, tokens.output)`,
  },
  {
    name: "every charge is images, seconds, requests and tokens × price × multiplier, rounded up once, or the hold where that is less, with the rest as a loss",
    sql: `select s.operation_id || ': charged ' || s.amount || ', due ' || s.due || ', hold ' || s.hold_amount || ', loss ' || s.lost as broken
          from (select s.*, div((s.input_tokens::numeric * p.input_price + s.output_tokens::numeric * p.output_price + coalesce(others.more, 0)) * o.multiplier_ppm + 999999999999, 1000000000000) as due,
                       coalesce((select sum(estimate) from operator_loss l where l.operation_id = o.id and l.cause = 'usage_over_hold'), 0) as lost
                  from settlement s join operation o on o.id = s.operation_id left join price_version p on p.id = o.price_version_id
                  -- A part of the tokens with a rate of its own costs that much more, or less, than its whole.
                  left join lateral (
                    select sum((s.usage -> 'quantities' ->> unit)::numeric * case when unit in ('image', 'second', 'request') then each * 1000000
                             when unit = 'reasoning_token' then each - p.output_price else each - p.input_price end) as more
                      from (select r ->> 'unit' as unit, (r ->> 'amount')::numeric as each, r - array['unit', 'amount'] as ordered
                              from jsonb_array_elements(p.other_rates) r) rate
                     where s.usage -> 'quantities' @> rate.ordered) others on true
                 where s.outcome = 'settled') s
          where s.due is null or s.amount <> least(s.due, s.hold_amount) or s.lost <> s.due - s.amount`,
  },
  {
    name: "every operation has a wallet, a key of its account and a price of its model",
    sql: `select o.id::text as broken from operation o left join wallet w using (account_id)
          left join price_version p on p.id = o.price_version_id left join api_key k on k.id = o.api_key_id
          where w.account_id is null or p.id is null or p.model <> o.model
             or (o.api_key_id is not null and (k.id is null or k.account_id <> o.account_id))`,
  },
  {
    name: "every amount of the journal is positive and no business event counts twice",
    sql: `select kind || ' ' || ref as broken from ledger_entry group by kind, ref having count(*) > 1 or min(amount) <= 0`,
  },
  {
    name: "no charge was refunded beyond its amount, and every refund of one went to its account",
    sql: `select e.operation_id || ': refunded ' || sum(e.amount) || ', charged ' || coalesce(max(s.amount), 0) as broken
          from ledger_entry e left join settlement s on s.operation_id = e.operation_id where e.operation_id is not null
          group by e.operation_id having sum(e.amount) > coalesce(max(s.amount), 0) or bool_or(e.kind <> 'refund' or e.account_id is distinct from s.account_id)`,
  },
  {
    name: "usage per day is the sum of that day's charges",
    sql: `select coalesce(u.account_id, s.account_id) || ' ' || coalesce(u.model, s.model) || ' ' || coalesce(u.day, s.day) as broken
          from usage_day u
          full join (select s.account_id, coalesce(o.api_key_id, '') as api_key_id, o.model, (s.created_at at time zone 'UTC')::date as day,
                            count(*) as requests, sum(s.input_tokens) as input_tokens, sum(s.output_tokens) as output_tokens, sum(s.amount) as amount
                       from settlement s join operation o on o.id = s.operation_id where s.outcome = 'settled' group by 1, 2, 3, 4) s
            using (account_id, api_key_id, model, day)
          where (u.requests, u.input_tokens, u.output_tokens, u.amount) is distinct from (s.requests, s.input_tokens, s.output_tokens, s.amount)`,
  },
  {
    name: "every key's budget counts what the key spent and holds: in its lifetime, or in what was opened in its window",
    sql: `select b.api_key_id || ' ' || b.kind || ': spent ' || b.spent || ' held ' || b.held || ', operations ' || coalesce(o.spent, 0) || ' and ' || coalesce(o.held, 0) as broken
          from api_key_budget b
          left join (select b.api_key_id, b.kind, sum(s.amount) as spent, sum(o.hold_amount) filter (where s.operation_id is null) as held
                       from api_key_budget b join operation o on o.api_key_id = b.api_key_id and (b.zone is null or o.created_at >= b.starts_at)
                       left join settlement s on s.operation_id = o.id group by 1, 2) o using (api_key_id, kind)
          where b.kind in ('lifetime', 'day', 'week', 'month') and (b.spent <> coalesce(o.spent, 0) or b.held <> coalesce(o.held, 0))`,
  },
  {
    name: "every key's limit of requests at once counts its open operations",
    sql: `select b.api_key_id || ': held ' || b.held || ', operations ' || coalesce(o.n, 0) as broken
          from api_key_budget b
          left join (select o.api_key_id, count(*) as n from operation o
                      where not exists (select from settlement s where s.operation_id = o.id) group by 1) o using (api_key_id)
          where b.kind = 'running' and (b.held <> coalesce(o.n, 0) or b.spent <> 0)`,
  },
  {
    name: "nothing of a key was opened after the end of a window that still counts",
    sql: `select b.api_key_id || ' ' || b.kind || ': ' || o.id as broken from api_key_budget b
          join operation o on o.api_key_id = b.api_key_id and o.created_at >= b.ends_at where b.zone is not null`,
  },
  {
    name: "every loss belongs to an operation that ended",
    sql: `select l.id::text as broken from operator_loss l
          where l.estimate < 0 or (l.operation_id is not null and not exists (select from settlement s where s.operation_id = l.operation_id))`,
  },
  {
    name: "every credited payment is one top-up of its points in its account, and every top-up of a payment is one that was paid",
    sql: `select coalesce(p.id, e.ref) as broken
          from (select * from payment where credited_at is not null) p
          full join (select * from ledger_entry where kind = 'topup' and ref like 'pay\\_%') e on e.ref = p.id
          where (p.id is null and not exists (select from payment q where q.id = e.ref and q.paid_at is not null))
             or (p.id is not null and (p.account_id, p.points) is distinct from (e.account_id, e.amount))`,
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
    sql: `select r.ref || ': taken ' || r.taken || ' of journal ' || coalesce(e.taken, 0) || ', lost ' || r.lost || ' of ' || coalesce(l.lost, 0) as broken
          from ledger_reversal r left join payment p on p.id = r.ref
          left join (select split_part(ref, ':', 1) as ref, account_id, sum(case kind when 'clawback' then amount else -amount end) as taken
                       from ledger_entry where kind in ('clawback', 'adjust_up') and ref like 'pay\\_%:%' group by 1, 2) e
            on e.ref = r.ref and e.account_id = r.account_id
          left join (select detail ->> 'ref' as ref, sum(estimate) as lost from operator_loss where cause = 'clawback_short' group by 1) l on l.ref = r.ref
          where r.taken <> coalesce(e.taken, 0) or r.lost <> coalesce(l.lost, 0) or p.id is null or p.account_id <> r.account_id
             or r.taken + r.lost > p.points`,
  },
  {
    name: "every video task agrees with its settlement, and is open exactly while there is none",
    sql: `select t.id || ': task ' || t.status || ', settlement ' || coalesce(s.outcome, 'absent') as broken
          from video_task t left join settlement s using (operation_id)
          where s.outcome is distinct from case when t.status = 'succeeded' then 'settled' when t.status not in ('queued', 'running') then 'released' end`,
  },
  {
    name: "every open operation that no process owns has a task that a worker ends",
    sql: `select q.operation_id::text as broken from open_operation q
          where q.node_id is null and not exists (select from video_task t where t.operation_id = q.operation_id)`,
  },
  {
    name: "every open operation past its deadline has an owner that can still end it",
    sql: `select q.operation_id || ': owner ' || q.node_id as broken from open_operation q left join node n on n.id = q.node_id
           where q.node_id is not null and n.id is null and q.deadline < now()`,
  },
];

const EXAMPLES = 5;

/**
 * Runs every check in one snapshot, and counts wallets and journal lines. It reads whole tables:
 * use it in commands, not in a page request. The sums of ended requests are checked since a midnight
 * (UTC), or all of them.
 */
export async function auditLedger(
  client: pg.ClientBase,
  sumsSince: Date | null = null,
): Promise<AuditReport> {
  await client.query("begin isolation level repeatable read read only");
  try {
    const results: AuditCheck[] = [];
    for (const { name, sql } of [...checks, ...leaseChecks, ...usageChecks(sumsSince)]) {
      const { rows } = await client.query<{ broken: string | null; total: string }>(
        `select broken, count(*) over () as total from (${sql}) b limit ${EXAMPLES}`,
      );
      const detail =
        rows.length === 0
          ? ""
          : `${rows[0]?.total} broken: ${rows.map(({ broken }) => broken).join("; ")}`;
      results.push({ name, ok: rows.length === 0, detail });
    }
    const { rows } = await client.query<{ accounts: string; entries: string }>(
      "select (select count(*) from wallet) as accounts, (select count(*) from ledger_journal) as entries",
    );
    return {
      ok: results.every(({ ok }) => ok),
      checks: results,
      accounts: Number(rows[0]?.accounts),
      entries: Number(rows[0]?.entries),
    };
  } finally {
    await client.query("rollback");
  }
}
