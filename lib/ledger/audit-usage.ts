/** The audit's checks of the sums of ended requests against the requests themselves. */
import { ownReasons } from "../contract/states";
import { firstOperationId } from "../ids";

const DAY_MS = 86_400_000;
const RECENT_DAYS = 3;

/** Midnight (UTC) a few days ago: an audit that runs every few hours need not check more. */
export const recentDays = (now = Date.now()): Date =>
  new Date(now - (now % DAY_MS) - RECENT_DAYS * DAY_MS);

const counted = `from operation o join settlement s on s.operation_id = o.id
  where (s.is_followed or o.id >= (select below from usage_backfill)) and not exists (select from usage_waiting w where w.operation_id = o.id)`;
const outcomes = `count(*) filter (where s.outcome = 'settled') as settled, count(*) filter (where s.outcome = 'released') as released,
  sum(s.amount) as amount`;
const tokens =
  "coalesce(sum(s.input_tokens), 0) as input_tokens, coalesce(sum(s.output_tokens), 0) as output_tokens";
const hour = "date_trunc('hour', o.created_at at time zone 'UTC') at time zone 'UTC' as hour";
const failed = `count(*) filter (where s.outcome = 'released' and coalesce(s.reason, '') not in (${ownReasons.map((reason) => `'${reason}'`).join(", ")}))`;
const timed = "count(s.duration_ms) filter (where s.outcome = 'settled')";
const streamed = "count(s.first_byte_ms) filter (where s.outcome = 'settled' and s.is_stream)";
const timesOf = (column: string) => `(select coalesce(sum(e >> 9), 0) from unnest(${column}) e)`;

/** The checks of everything that was made or ended since a midnight (UTC); null: of all. */
export function usageChecks(since: Date | null): readonly { name: string; sql: string }[] {
  const time = since === null ? "timestamptz '-infinity'" : `timestamptz '${since.toISOString()}'`;
  const day = since === null ? "date '-infinity'" : `date '${since.toISOString().slice(0, 10)}'`;
  // An id is a little older than its request; a day is more than clocks differ.
  const ids = since === null ? "" : `and o.id >= '${firstOperationId(since.getTime() - DAY_MS)}'`;
  const made = `${counted} ${ids} and o.created_at >= ${time}`;
  return [
    {
      name: "the sums of every hour are those of the requests made in it",
      sql: `select coalesce(h.account_id, r.account_id) || ' ' || coalesce(h.model, r.model) || ' ' || coalesce(h.hour, r.hour) as broken
            from (select * from usage_hour where hour >= ${time}) h
            full join (select o.account_id, ${hour}, coalesce(o.api_key_id, '') as api_key_id, o.model, coalesce(o.dialect, '') as dialect,
                              max(o.family) as family, ${outcomes}, ${tokens}, ${timed} as timed,
                              ${streamed} as streamed
                         ${made} group by 1, 2, 3, 4, 5) r
              using (account_id, hour, api_key_id, model, dialect)
            where (h.family, h.settled, h.released, h.input_tokens, h.output_tokens, h.amount, ${timesOf("h.latency")}, ${timesOf("h.first_token")})
                  is distinct from (r.family, r.settled, r.released, r.input_tokens, r.output_tokens, r.amount, r.timed::numeric, r.streamed::numeric)`,
    },
    {
      name: "the sums of every hour over all accounts are those of the requests made in it",
      sql: `select coalesce(h.model, r.model) || ' ' || coalesce(h.channel_id, r.channel_id) || ' ' || coalesce(h.hour, r.hour) as broken
            from (select * from usage_total_hour where hour >= ${time}) h
            full join (select ${hour}, o.model, coalesce(s.channel_id, '') as channel_id, ${outcomes},
                              ${failed} as failed, ${timed} as timed ${made} group by 1, 2, 3) r using (hour, model, channel_id)
            where (h.settled, h.released, h.failed, h.amount, ${timesOf("h.latency")})
                  is distinct from (r.settled, r.released, r.failed, r.amount, r.timed::numeric)`,
    },
    {
      name: "the sums of every day over all accounts are those of the requests that ended on it",
      sql: `select coalesce(d.model, r.model) || ' ' || coalesce(d.channel_id, r.channel_id) || ' ' || coalesce(d.day, r.day) as broken
            from (select * from usage_total_day where day >= ${day}) d
            full join (select (s.created_at at time zone 'UTC')::date as day, o.model, coalesce(s.channel_id, '') as channel_id, ${outcomes}, ${tokens},
                              ${timed} as timed, ${streamed} as streamed ${counted} and s.created_at >= ${time} group by 1, 2, 3) r using (day, model, channel_id)
            where (d.settled, d.released, d.input_tokens, d.output_tokens, d.amount, ${timesOf("d.latency")}, ${timesOf("d.first_token")})
                  is distinct from (r.settled, r.released, r.input_tokens, r.output_tokens, r.amount, r.timed::numeric, r.streamed::numeric)`,
    },
    {
      name: "every request that waits for the sums has ended, and waits once",
      sql: `select w.operation_id::text as broken from usage_waiting w left join settlement s using (operation_id)
            group by w.operation_id having count(*) > 1 or not coalesce(bool_and(s.is_followed and s.account_id = w.account_id), false)`,
    },
  ];
}
