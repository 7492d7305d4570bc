import type { z } from "zod";
import type { operatorOverviewResponse } from "../contract/operator";
import { onlyRow } from "../db/only-row";
import { formatPoints } from "../money/points";
import { readHealthSlots } from "./channel-health";
import { readNeeds } from "./needs";
import type { QueryDeps } from "./query-deps";
import { madeHours } from "./total-facts";
import { listUnserved, type ServingDeps } from "./unserved";

const HOUR_MS = 3_600_000;

/** Of the last 24 hours (UTC), the first one: this hour is the last. */
const firstHour = (now: number) => new Date((Math.floor(now / HOUR_MS) - 23) * HOUR_MS);

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
  deps: Pick<QueryDeps, "pool" | "ledger"> & ServingDeps,
): Promise<z.input<typeof operatorOverviewResponse>> {
  const { pool } = deps;
  const found = await pool.query<Row>(
    `with ${madeHours}
     select (select count(*) from account)::int as accounts, w.available, w.held, w.open_holds,
       (select min(created_at) from open_request) as oldest_hold_at,
       s.settled, s.released, s.charged, l.losses, l.lost
     from (select coalesce(sum(credits_posted - debits_posted - debits_pending), 0)::text as available,
             coalesce(sum(debits_pending), 0)::text as held, coalesce(sum(open_holds), 0)::int as open_holds from wallet) w,
       (select coalesce(sum(settled), 0)::int as settled, coalesce(sum(released), 0)::int as released,
             coalesce(sum(amount), 0)::text as charged from hours) s,
       (select count(*)::int as losses, coalesce(sum(estimate), 0)::text as lost from operator_loss where created_at >= $1) l`,
    [firstHour(Date.now())],
  );
  const row = onlyRow(found);
  const [needs, health, unserved] = await Promise.all([
    readNeeds(deps),
    readHealthSlots(pool),
    listUnserved(deps),
  ]);
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
    unserved,
    needs,
    health,
  };
}
