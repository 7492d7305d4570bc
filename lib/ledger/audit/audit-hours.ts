/** Compares the sums of hours with their requests, a few hours in each snapshot. */

import { firstOperationId } from "../../crypto/ids";
import { onlyRow } from "../../db/only-row";
import { type AuditCheck, checkOf, EXAMPLES, inSnapshot } from "./audit";
import { type AuditConnections, BY_RANGES, type Queries } from "./audit-connections";
import { timeOfId } from "./audit-scope";
import { hoursBetween } from "./audit-usage";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** About as many requests are read in one snapshot, but at least an hour's. */
const AT_ONCE = 100_000;

interface Head {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The hours that pieces have passed and that were not compared yet, or all that they have passed. */
const headQuery = `
  select case when $1 or h.hours_below = '-infinity' then (select date_trunc('hour', min(hour), 'UTC') from usage_total_hour) else h.hours_below end as from,
         date_trunc('hour', least(now(), ${timeOfId("h.below")}) - interval '10 minutes', 'UTC') as to
    from ledger_seal_head h where h.piece > 0`;

interface Wrong {
  readonly broken: string | null;
  readonly total: string;
}

/** Compares the hours from one to another in one snapshot, half of the accounts on each connection. */
export const compareHours = (
  connections: AuditConnections,
  from: Date,
  to: Date,
): Promise<AuditCheck[]> =>
  inSnapshot(connections.first, async () => {
    const rules = hoursBetween(from, to);
    const of = await connections.count();
    const readShare = async (client: Queries, place: number) => {
      await client.query(BY_RANGES);
      const { rows } = await client.query<{
        broken: string | null;
        total: string | null;
        totals: string;
      }>(rules.ofShare({ place, of }, EXAMPLES));
      return rows;
    };
    const shares = await connections.both(
      () => readShare(connections.first, 0),
      async (client) => (of === 1 ? [] : readShare(client, 1)),
    );
    const wrong = shares.flatMap((rows) =>
      rows.flatMap(({ broken, total }) => (total === null ? [] : [{ broken, total }])),
    );
    const total = shares.reduce((sum, rows) => sum + Number(rows[0]?.total ?? 0), 0);
    const { rows: wrongTotals } = await connections.first.query<Wrong>(
      `select broken, count(*) over () as total from (${rules.ofTotals}) b limit ${EXAMPLES}`,
      [shares.flatMap((rows) => rows.slice(0, 1).map(({ totals }) => totals))],
    );
    const [ofAccounts, ofAll] = rules.names;
    return [
      checkOf(
        ofAccounts,
        wrong.slice(0, EXAMPLES).map((row) => ({ ...row, total: String(total) })),
      ),
      checkOf(ofAll, wrongTotals),
    ];
  });

/** Whether a week's requests are few, counted themselves: its sums may be wrong. */
async function isWeekOfFew(client: Queries, from: Date): Promise<boolean> {
  const below = from.getTime() + WEEK_MS + HOUR_MS;
  const { rows } = await client.query<{ few: boolean }>(
    `select count(*) <= ${AT_ONCE} as few from (select from request where id >= $1 and id < $2 limit ${AT_ONCE + 1}) r`,
    [firstOperationId(from.getTime() - HOUR_MS), firstOperationId(below)],
  );
  return rows[0]?.few === true;
}

/**
 * How long a step from a time on is, so that about as many requests are read in each: a week of few
 * requests, or hours of up to a day.
 */
async function stepFrom(client: Queries, from: Date): Promise<number> {
  const { rows } = await client.query<{ day: string; week: string }>(
    `select coalesce(sum(settled + released) filter (where hour < $1::timestamptz + interval '1 day'), 0) as day,
            coalesce(sum(settled + released), 0) as week
       from usage_total_hour where hour >= $1::timestamptz and hour < $1::timestamptz + interval '7 days'`,
    [from],
  );
  const { day = 0, week = 0 } = rows[0] ?? {};
  if (Number(week) <= AT_ONCE && (await isWeekOfFew(client, from))) return WEEK_MS;
  const perHour = Number(day) / 24;
  return Math.min(DAY_MS, Math.max(HOUR_MS, Math.floor(AT_ONCE / Math.max(perHour, 1)) * HOUR_MS));
}

/**
 * The first hours between two times whose requests were dropped. A request has an id of up to minutes
 * before its time, so the hours beside a month belong to it here.
 */
async function droppedBetween(
  client: Queries,
  from: Date,
  to: Date,
): Promise<{ from: Date; to: Date } | null> {
  const { rows } = await client.query<{ from: Date; to: Date }>(
    `select * from (select month::timestamp at time zone 'UTC' - interval '1 hour' as from,
                           (month + interval '1 month') at time zone 'UTC' + interval '1 hour' as to from ledger_archive_drop) d
      where d.from < $2 and d.to > $1 order by d.from limit 1`,
    [from, to],
  );
  return rows[0] ?? null;
}

/** Stops at hours that break a rule: the next audit finds them again. */
export async function auditHours(
  connections: AuditConnections,
  { isAll = false, signal }: { isAll?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<AuditCheck[]> {
  const client = connections.first;
  const { rows } = await client.query<Head>(headQuery, [isAll]);
  const { from, to } = rows[0] ?? { from: null, to: null };
  let checks: AuditCheck[] = [];
  if (from === null || to === null) return checks;
  for (let at = from; at < to && !signal?.aborted; ) {
    const here = at;
    const end = new Date(Math.min(to.getTime(), at.getTime() + (await stepFrom(client, at))));
    const dropped = await droppedBetween(client, here, end);
    if (dropped !== null && dropped.from <= here) {
      at = dropped.to;
      continue;
    }
    const until = dropped?.from ?? end;
    checks = await compareHours(connections, here, until);
    if (checks.some(({ ok }) => !ok)) return checks;
    if (!isAll) onlyRow(await client.query("select ledger_seal_hours($1)", [until]));
    at = until;
  }
  return checks;
}
