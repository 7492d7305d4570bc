/** Gives the last months partitions of their own, as an installation has that is older than they are. */
import type pg from "pg";
import { giveMonthsPartitions as give } from "@/lib/db/own-partitions";
import { transact } from "@/lib/db/transaction";

/** How many days have passed since the fifth day of the month that was so many months ago, in UTC. */
export function daysSinceMonth(monthsAgo: number): number {
  const now = new Date();
  const then = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 5);
  return Math.floor((now.getTime() - then) / 86_400_000);
}

/** As the owner of a database without requests. */
export async function giveMonthsPartitions(owner: pg.ClientBase, months: number): Promise<void> {
  const now = new Date();
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months);
  await transact(owner, () => give(owner, first));
}
