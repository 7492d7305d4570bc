/** The audit's checks of the sums of ended requests against the requests themselves. */
import { ownReasons } from "../../contract/states";
import { firstOperationId } from "../../crypto/ids";
import type { Rule, RuleSet } from "./audit-requests";
import { apartOf, type Scope } from "./audit-scope";
import { waiting } from "./audit-sums";

const DAY_MS = 86_400_000;
const RECENT_DAYS = 3;

/** Midnight (UTC) a few days ago: an audit that runs every few hours need not check more. */
export const recentDays = (now = Date.now()): Date =>
  new Date(now - (now % DAY_MS) - RECENT_DAYS * DAY_MS);

const EDGE_MS = 5 * 60_000;

const countedOf = (requests: string) =>
  `from ${requests} r where not exists (select from usage_waiting w where w.operation_id = r.id)`;
const counted = countedOf("request");
const outcomes = `count(*) filter (where r.outcome = 'settled') as settled, count(*) filter (where r.outcome = 'released') as released,
  sum(r.amount) as amount`;
const tokens =
  "coalesce(sum(r.input_tokens), 0) as input_tokens, coalesce(sum(r.output_tokens), 0) as output_tokens";
const failed = `count(*) filter (where r.outcome = 'released' and coalesce(r.reason, '') not in (${ownReasons.map((reason) => `'${reason}'`).join(", ")}))`;
const timed = "count(r.duration_ms) filter (where r.outcome = 'settled')";
const streamed = "count(r.first_byte_ms) filter (where r.outcome = 'settled' and r.is_stream)";
const timesOf = (column: string) => `(select coalesce(sum(e >> 9), 0) from unnest(${column}) e)`;
const summed = (columns: readonly string[]) =>
  columns.map((column) => `sum(${column}) as ${column}`).join(", ");

const byAccount = "account_id, hour, api_key_id, model, dialect, tag_set";
const overAll = "hour, model, channel_id";

const hourNames = [
  "the sums of every hour are those of the requests made in it",
  "the sums of every hour over all accounts are those of the requests made in it",
] as const;

/** Groups the requests of a `from` clause by every column of both hour tables, so that one read of them serves both comparisons. */
const madeOf = (from: string) => `with made as materialized (
  select r.account_id, date_trunc('hour', r.created_at, 'UTC') as hour, coalesce(r.api_key_id, '') as api_key_id, r.model,
         coalesce(r.dialect, '') as dialect, coalesce(r.channel_id, '') as channel_id, coalesce(md5(r.tags::text), '') as tag_set, max(r.family) as family,
         ${outcomes}, ${tokens}, ${failed} as failed, ${timed} as timed, ${streamed} as streamed
    ${from} group by 1, 2, 3, 4, 5, 6, 7)`;

/** Rows of `hours` (sums by account) that differ from the sums computed from the requests in `made`. */
const wrongOfAccounts = (hours: string) => `
  select coalesce(h.account_id, r.account_id) || ' ' || coalesce(h.model, r.model) || ' ' || coalesce(h.hour, r.hour) as broken
    from ${hours} h
    full join (select ${byAccount}, max(family) as family, ${summed(["settled", "released", "input_tokens", "output_tokens", "amount", "timed", "streamed"])}
                 from made group by ${byAccount}) r using (${byAccount})
   where (h.family, h.settled, h.released, h.input_tokens, h.output_tokens, h.amount, ${timesOf("h.latency")}, ${timesOf("h.first_token")})
         is distinct from (r.family, r.settled, r.released, r.input_tokens, r.output_tokens, r.amount, r.timed, r.streamed)`;

const totalColumns = ["settled", "released", "failed", "amount", "timed"] as const;
const totalsOf = (made: string) =>
  `select ${overAll}, ${summed(totalColumns)} from ${made} group by ${overAll}`;

/** Rows of `hours` (sums over all accounts) that differ from the sums in `totals`. */
const wrongTotals = (hours: string, totals: string) => `
  select coalesce(h.model, r.model) || ' ' || coalesce(h.channel_id, r.channel_id) || ' ' || coalesce(h.hour, r.hour) as broken
    from ${hours} h full join (${totals}) r using (${overAll})
   where (h.settled, h.released, h.failed, h.amount, ${timesOf("h.latency")}) is distinct from (r.settled, r.released, r.failed, r.amount, r.timed)`;

/** One part of the accounts, chosen by a hash of the id: part `place` of `of`. */
interface Share {
  readonly place: number;
  readonly of: number;
}

/** The rules for a range of hours. Each part of the accounts can be checked on its own connection. */
export interface HourRules {
  readonly names: typeof hourNames;
  /** Up to `examples` wrong sums of the accounts as `broken` of `total`, on each row with the `totals` of their requests. */
  ofShare(share: Share, examples: number): string;
  /** Compares the sums over all accounts with the totals of all shares, each an element of $1. */
  readonly ofTotals: string;
}

/** Reads requests by their ids' range. A request whose id is minutes away from its time stands in `ledger_apart` once its piece was made. */
export function hoursBetween(from: Date, to: Date): HourRules {
  const time = (column: string) =>
    `${column} >= '${from.toISOString()}' and ${column} < '${to.toISOString()}'`;
  const first = firstOperationId(from.getTime() - EDGE_MS);
  const below = firstOperationId(to.getTime() + EDGE_MS);
  // By their ids, so that no plan reads the whole table.
  const near = `(select * from request where id >= '${first}' and id < '${below}'
      union all select x.* from ${apartOf("request", "id")}
        where ${time("a.created_at")} and (a.operation_id < '${first}' or a.operation_id >= '${below}'))`;
  const made = `${countedOf(near)} and ${time("r.created_at")}`;
  return {
    names: hourNames,
    ofShare({ place, of }, examples) {
      const isIn = (id: string) =>
        of === 1 ? "true" : `mod(hashtext(${id})::bigint + 2147483648, ${of}) = ${place}`;
      const hours = `(select h.* from wallet w cross join lateral (select * from usage_hour h where h.account_id = w.account_id and ${time("h.hour")} offset 0) h
                       where ${isIn("w.account_id")})`;
      return `${madeOf(`${made} and ${isIn("r.account_id")}`)}
        select b.*, t.totals from (select coalesce(json_agg(x), '[]')::text as totals from (${totalsOf("made")}) x) t
          left join (select broken, count(*) over () as total from (${wrongOfAccounts(hours)}) w limit ${examples}) b on true`;
    },
    ofTotals: wrongTotals(
      `(select * from usage_total_hour where ${time("hour")})`,
      totalsOf(`(select x.* from unnest($1::text[]) each(share) cross join lateral json_to_recordset(share::json)
        as x(hour timestamptz, model text, channel_id text, ${totalColumns.map((column) => `${column} numeric`).join(", ")})) shares`),
    ),
  };
}

/** The operators' sums of days. */
export const totalPerDay = (scope: Scope, days = `day > ${scope.sealedDay}`): Rule => ({
  name: "the sums of every day over all accounts are those of the requests that ended on it",
  sql: `select coalesce(d.model, r.model) || ' ' || coalesce(d.channel_id, r.channel_id) || ' ' || coalesce(d.day, r.day) as broken
        from (select day, model, channel_id, sum(settled) as settled, sum(released) as released, sum(input_tokens) as input_tokens,
                     sum(output_tokens) as output_tokens, sum(amount) as amount, sum(timed) as timed, sum(streamed) as streamed
                from (select day, model, channel_id, settled, released, input_tokens, output_tokens, amount,
                             ${timesOf("latency")} as timed, ${timesOf("first_token")} as streamed from usage_total_day
                      union all ${oneByOne(waiting)}) a
               where ${days} group by 1, 2, 3) d
        full join (select day, model, channel_id, sum(settled) as settled, sum(released) as released, sum(input_tokens) as input_tokens,
                          sum(output_tokens) as output_tokens, sum(amount) as amount, sum(timed) as timed, sum(streamed) as streamed
                     from (select day, model, channel_id, settled, released, input_tokens, output_tokens, amount, timed, streamed from ${scope.draft} f
                           union all ${oneByOne(`${scope.of("request", "id")} r`)}) a
                    where ${days} group by 1, 2, 3) r using (day, model, channel_id)
        where (d.settled, d.released, d.input_tokens, d.output_tokens, d.amount, d.timed, d.streamed)
              is distinct from (r.settled, r.released, r.input_tokens, r.output_tokens, r.amount, r.timed, r.streamed)`,
});

const oneByOne = (requests: string) => `
  select (r.ended_at at time zone 'UTC')::date, r.model, coalesce(r.channel_id, ''), (r.outcome = 'settled')::int, (r.outcome = 'released')::int,
         coalesce(r.input_tokens, 0), coalesce(r.output_tokens, 0), r.amount, (r.outcome = 'settled' and r.duration_ms is not null)::int,
         (r.outcome = 'settled' and coalesce(r.is_stream, false) and r.first_byte_ms is not null)::int
    from ${requests}`;

export const waitingRule: Rule = {
  name: "every request that waits for the sums has ended, and waits once",
  sql: `select w.operation_id::text as broken from usage_waiting w
          left join lateral (select account_id from request where id = w.operation_id limit 1) r on true
        group by w.operation_id having count(*) > 1 or not coalesce(bool_and(r.account_id = w.account_id), false)`,
};

/** The checks of everything that was made or ended since a midnight (UTC); null: of all. */
export function usageChecks(since: Date | null): { hours: RuleSet; others: readonly Rule[] } {
  const time = since === null ? "timestamptz '-infinity'" : `timestamptz '${since.toISOString()}'`;
  const day = since === null ? "date '-infinity'" : `date '${since.toISOString().slice(0, 10)}'`;
  // An id is a little older than its request; a day is more than clocks differ.
  const ids = since === null ? "" : `and r.id >= '${firstOperationId(since.getTime() - DAY_MS)}'`;
  const made = `${counted} ${ids} and r.created_at >= ${time}`;
  const perDay = {
    name: "the sums of every day over all accounts are those of the requests that ended on it",
    sql: `select coalesce(d.model, r.model) || ' ' || coalesce(d.channel_id, r.channel_id) || ' ' || coalesce(d.day, r.day) as broken
            from (select * from usage_total_day where day >= ${day}) d
            full join (select (r.ended_at at time zone 'UTC')::date as day, r.model, coalesce(r.channel_id, '') as channel_id, ${outcomes}, ${tokens},
                              ${timed} as timed, ${streamed} as streamed ${counted} and r.ended_at >= ${time} group by 1, 2, 3) r using (day, model, channel_id)
            where (d.settled, d.released, d.input_tokens, d.output_tokens, d.amount, ${timesOf("d.latency")}, ${timesOf("d.first_token")})
                  is distinct from (r.settled, r.released, r.input_tokens, r.output_tokens, r.amount, r.timed::numeric, r.streamed::numeric)`,
  };
  return {
    hours: {
      names: hourNames,
      sql: `${madeOf(made)} select 0 as rule, broken from (${wrongOfAccounts(`(select * from usage_hour where hour >= ${time})`)}) a
        union all select 1, broken from (${wrongTotals(`(select * from usage_total_hour where hour >= ${time})`, totalsOf("made"))}) t`,
    },
    others: [perDay, waitingRule],
  };
}
