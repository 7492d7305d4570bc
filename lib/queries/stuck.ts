import type { z } from "zod";
import type { stuckResponse } from "../contract/operator-requests";
import { formatPoints } from "../money/points";
import { emailsOf } from "./find-accounts";
import { stuckTasks } from "./operator-tasks";
import type { QueryDeps } from "./query-deps";
import { deadNodes, holdsByAge, oldestHolds } from "./stuck-work";

/** Everything that may need an operator. */
export async function showStuck({
  pool,
  ledger,
}: Pick<QueryDeps, "pool" | "ledger">): Promise<z.input<typeof stuckResponse>> {
  const [ages, holds, tasks, nodes] = await Promise.all([
    holdsByAge(pool),
    oldestHolds(pool),
    stuckTasks(pool),
    deadNodes(pool),
  ]);
  const emails = await emailsOf(
    pool,
    holds.map(({ accountId }) => accountId),
  );
  const { store, aside } = ledger.spoolState();
  return {
    ages: ages.map((each) => ({ ...each, held: formatPoints(each.held) })),
    holds: holds.map(({ accountId, held, openedAt, deadline, ...hold }) => ({
      ...hold,
      account: { id: accountId, email: emails.get(accountId) ?? null },
      held: formatPoints(held),
      openedAt: openedAt.toISOString(),
      deadline: deadline.toISOString(),
    })),
    tasks,
    nodes: nodes.map(({ storeId, leaseUntil, held, ...node }) => ({
      ...node,
      held: formatPoints(held),
      leaseUntil: leaseUntil.toISOString(),
      isHere: storeId === store,
    })),
    files: aside.map(({ at, ...file }) => ({ ...file, at: at.toISOString() })),
  };
}
