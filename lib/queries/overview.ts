import type { z } from "zod";
import { HOLD_DAYS_MAX } from "../contract/limits";
import type { operatorOverviewResponse } from "../contract/operator";
import { onlyRow } from "../db/only-row";
import { firstOperationId } from "../ids";
import { formatPoints } from "../points";
import type { QueryDeps } from "./query-deps";
import { listUnserved, type ServingDeps } from "./unserved";

const DAY_MS = 24 * 3_600_000;
const HOLD_MS_MAX = HOLD_DAYS_MAX * DAY_MS;

interface Row {
  accounts: number;
  available: string;
  held: string;
  open_holds: number;
  oldest_hold_at: Date | null;
  settled: number;
  released: number;
  charged: string;
  losses: number;
  lost: string;
}

/** The operators' overview of the installation. */
export async function showOverview(
  deps: Pick<QueryDeps, "pool"> & ServingDeps,
): Promise<z.input<typeof operatorOverviewResponse>> {
  const { pool } = deps;
  const found = await pool.query<Row>(
    `select (select count(*) from account)::int as accounts, w.available, w.held, w.open_holds,
       (select min(o.created_at) from open_operation p join operation o on o.id = p.operation_id) as oldest_hold_at,
       s.settled, s.released, s.charged, l.losses, l.lost
     from (select coalesce(sum(credits_posted - debits_posted - debits_pending), 0)::text as available,
             coalesce(sum(debits_pending), 0)::text as held, coalesce(sum(open_holds), 0)::int as open_holds from wallet) w,
       (select count(*) filter (where outcome = 'settled')::int as settled, count(*) filter (where outcome <> 'settled')::int as released,
             coalesce(sum(amount), 0)::text as charged from settlement where operation_id >= $1 and created_at > now() - interval '24 hours') s,
       (select count(*)::int as losses, coalesce(sum(estimate), 0)::text as lost from operator_loss where created_at > now() - interval '24 hours') l`,
    [firstOperationId(Date.now() - DAY_MS - HOLD_MS_MAX)],
  );
  const row = onlyRow(found);
  const text = (amount: string) => formatPoints(BigInt(amount));
  return {
    accounts: row.accounts,
    available: text(row.available),
    held: text(row.held),
    openHolds: row.open_holds,
    oldestHoldAt: row.oldest_hold_at?.toISOString() ?? null,
    day: {
      settled: row.settled,
      released: row.released,
      charged: text(row.charged),
      losses: row.losses,
      lost: text(row.lost),
    },
    unserved: await listUnserved(deps),
  };
}
