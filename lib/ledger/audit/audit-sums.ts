/** The audit's rules for sums: wallets, daily usage and the limits of keys against the rows. */
import type { Rule } from "./audit-requests";
import { type Scope, wholeScope } from "./audit-scope";
import { addsPoints, takesPoints } from "./entry-kinds";

const walletRules = (scope: Scope): readonly Rule[] => [
  {
    name: "every wallet's credits are the sum of its credits in the journal",
    sql: `select coalesce(w.account_id, j.account_id) || ': wallet ' || coalesce(w.credits_posted, 0) || ', journal ' || coalesce(j.total, 0) as broken from wallet w
          full join (select account_id, sum(amount) as total from (
                       select account_id, credits_after as amount from ${scope.sealed} b
                       union all select account_id, amount from ${scope.entriesSinceSeal} e where ${addsPoints}) c
                      group by 1) j using (account_id)
          where w.account_id is null or w.credits_posted <> coalesce(j.total, 0)`,
  },
  {
    name: "every wallet's debits are the sum of its charges and other debits in the journal",
    sql: `select coalesce(w.account_id, j.account_id) || ': wallet ' || coalesce(w.debits_posted, 0) || ', journal ' || coalesce(j.total, 0) as broken from wallet w
          full join (select account_id, sum(amount) as total from (
                       select account_id, debits_after as amount from ${scope.sealed} b
                       union all select account_id, amount from ${scope.draft} d
                       union all select account_id, amount from ${scope.of("request", "id")} r
                       union all select account_id, amount from ${scope.entriesSinceSeal} e where ${takesPoints}) d group by 1) j using (account_id)
          where w.account_id is null or w.debits_posted <> coalesce(j.total, 0)`,
  },
  {
    name: "every wallet's pending points and open holds are those of its open requests",
    sql: `select coalesce(w.account_id, o.account_id) || ': wallet ' || coalesce(w.debits_pending, 0) || ' in ' || coalesce(w.open_holds, 0) || ', requests ' || coalesce(o.total, 0) || ' in ' || coalesce(o.n, 0) as broken
          from wallet w full join (select account_id, sum(hold_amount) as total, count(*) as n from open_request group by 1) o using (account_id)
          where w.account_id is null or w.debits_pending <> coalesce(o.total, 0) or w.open_holds <> coalesce(o.n, 0)`,
  },
];

/** The settled requests `r` of a relation, as rows of sums. */
const settledOf = (requests: string) => `
  select r.account_id, coalesce(r.api_key_id, '') as api_key_id, r.model, (r.ended_at at time zone 'UTC')::date as day, 1 as requests,
         r.input_tokens, r.output_tokens, r.amount from ${requests} where r.outcome = 'settled'`;
/** What no sum counts yet: requests `r`, each read by its id. */
export const waiting =
  "usage_waiting n cross join lateral (select * from request r where r.id = n.operation_id offset 0) r";

/** By account, where only some days are wanted: the table has no other way to them. */
const usageOf = (days: string) =>
  days === wholeDays
    ? "usage_day"
    : `(select u.* from wallet w cross join lateral (select * from usage_day u where u.account_id = w.account_id and ${days}) u)`;
const wholeDays = `day > ${wholeScope.sealedDay}`;
const daySums = (rows: string, days: string) => `
  (select account_id, api_key_id, model, day, sum(requests) as requests, sum(input_tokens) as input_tokens,
          sum(output_tokens) as output_tokens, sum(amount) as amount from (${rows}) r where ${days} group by 1, 2, 3, 4)`;
const dayColumns =
  "account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount";

export const usagePerDay = (scope: Scope, days = `day > ${scope.sealedDay}`): Rule => ({
  name: "usage per day is the sum of that day's charges",
  sql: `select coalesce(u.account_id, s.account_id) || ' ' || coalesce(u.model, s.model) || ' ' || coalesce(u.day, s.day) as broken
        from ${daySums(`select ${dayColumns} from ${usageOf(days)} d union all ${settledOf(waiting)}`, days)} u
        full join ${daySums(
          `select account_id, api_key_id, model, day, settled as requests, input_tokens, output_tokens, amount
             from ${scope.draft} d where settled > 0 and ${days} union all ${settledOf(`${scope.of("request", "id")} r`)}`,
          days,
        )} s using (account_id, api_key_id, model, day)
        where (u.requests, u.input_tokens, u.output_tokens, u.amount) is distinct from (s.requests, s.input_tokens, s.output_tokens, s.amount)`,
});

/**
 * Whether requests of a window that begins at this time may be only in archived files. It is long
 * over then: the next hold begins a new one, whatever was spent in it.
 */
export const isDroppedSince = (time: string): string =>
  `exists (select from ledger_archive_drop d where (d.month + interval '1 month') at time zone 'UTC' > ${time})`;
const fullHour =
  "date_trunc('hour', b.starts_at + interval '1 hour' - interval '1 microsecond', 'UTC')";

/** What each key with a limit in points spent in its window, from sums that other rules compare. */
const spentBySums = `(
  select b.api_key_id, b.kind, sum(x.amount) as spent from (select *, ${fullHour} as whole from api_key_budget b) b cross join lateral (
    select u.amount from usage_day u where b.kind = 'lifetime' and u.account_id = b.account_id and u.api_key_id = b.api_key_id
    union all
    select h.amount from usage_hour h where b.zone is not null and h.account_id = b.account_id and h.api_key_id = b.api_key_id and h.hour >= b.whole
    union all
    select r.amount from request r
     where b.zone is not null and r.account_id = b.account_id and r.api_key_id = b.api_key_id and r.created_at >= b.starts_at and r.created_at < b.whole
    union all
    select r.amount from ${waiting}
     where n.account_id = b.account_id and r.api_key_id = b.api_key_id and (b.kind = 'lifetime' or r.created_at >= b.whole)) x group by 1, 2)`;
const spentByRows = `(
  select b.api_key_id, b.kind, sum(r.amount) as spent from api_key_budget b
    join request r on r.api_key_id = b.api_key_id and (b.zone is null or r.created_at >= b.starts_at) group by 1, 2)`;

const keyRules = (scope: Scope): readonly Rule[] => [
  {
    name: "every key's budget counts what the key spent and holds: in its lifetime, or in what was opened in its window",
    sql: `select b.api_key_id || ' ' || b.kind || ': spent ' || b.spent || ' held ' || b.held || ', requests ' || coalesce(s.spent, 0) || ' and ' || coalesce(o.held, 0) as broken
          from api_key_budget b
          left join ${scope.isNew ? spentBySums : spentByRows} s using (api_key_id, kind)
          left join (select b.api_key_id, b.kind, sum(o.hold_amount) as held from api_key_budget b
                       join open_request o on o.api_key_id = b.api_key_id and (b.zone is null or o.created_at >= b.starts_at) group by 1, 2) o using (api_key_id, kind)
          where b.kind in ('lifetime', 'day', 'week', 'month')
            and (b.spent <> coalesce(s.spent, 0) and (b.zone is null or not ${isDroppedSince("b.starts_at")}) or b.held <> coalesce(o.held, 0))`,
  },
  {
    name: "every key's limit of requests at once counts its open requests",
    sql: `select b.api_key_id || ': held ' || b.held || ', requests ' || coalesce(o.n, 0) as broken
          from api_key_budget b left join (select api_key_id, count(*) as n from open_request group by 1) o using (api_key_id)
          where b.kind = 'running' and (b.held <> coalesce(o.n, 0) or b.spent <> 0)`,
  },
];

export const sumRules = (scope: Scope): readonly Rule[] => [
  ...walletRules(scope),
  usagePerDay(scope),
  ...keyRules(scope),
];
