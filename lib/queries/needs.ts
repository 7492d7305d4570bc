import type { z } from "zod";
import type { operatorOverviewResponse } from "../contract/operator";
import { lastAudit } from "../ledger/audit/audit-runs";
import { sealState } from "../ledger/audit/last-seal";
import { formatPoints, parsePoints } from "../money/points";
import { stuckTasks } from "./operator-tasks";
import type { QueryDeps } from "./query-deps";
import { deadNodes } from "./stuck-work";

/** What may need an operator, as counts. */
export async function readNeeds({
  pool,
  ledger,
}: Pick<QueryDeps, "pool" | "ledger">): Promise<z.input<typeof operatorOverviewResponse>["needs"]> {
  const [tasks, nodes, payments, audit, { day, isBehind }] = await Promise.all([
    stuckTasks(pool),
    deadNodes(pool),
    pool.query<{ why: string; count: number }>(
      "select attention as why, count(*)::int as count from payment where attention is not null group by 1 order by 1",
    ),
    lastAudit(pool),
    sealState(pool),
  ]);
  const held =
    tasks.reduce((sum, task) => sum + (parsePoints(task.held ?? "") ?? 0n), 0n) +
    nodes.reduce((sum, node) => sum + node.held, 0n);
  return {
    stuck: {
      tasks: tasks.length,
      nodes: nodes.length,
      files: ledger.spoolState().aside.length,
      held: formatPoints(held),
    },
    payments: payments.rows,
    audit: audit && {
      at: audit.finishedAt.toISOString(),
      isClean: audit.isClean,
      broken: audit.broken.length,
    },
    seals: { day, isBehind },
  };
}
