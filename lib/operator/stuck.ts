import type { z } from "zod";
import { emailsOf } from "../accounts/find-accounts";
import { releaseNode, sweepLedger } from "../commands/ledger";
import type { stuckResponse } from "../contract/operator-requests";
import { deadNodes, holdsByAge, oldestHolds } from "../ledger/stuck";
import { formatPoints } from "../points";
import type { Call } from "../site/call";
import { stuckTasks } from "./tasks";

/** What may need a hand. */
export async function showStuck({ parts }: Call): Promise<z.input<typeof stuckResponse>> {
  const { pool, ledger } = parts;
  const [ages, holds, tasks, nodes] = await Promise.all([holdsByAge(pool), oldestHolds(pool), stuckTasks(pool), deadNodes(pool)]);
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

export async function checkNow({ parts, user }: Call) {
  return { ended: await sweepLedger(parts, user().userId) };
}

export async function giveNodeUp({ parts, id, user }: Call) {
  return { operations: await releaseNode(parts, user().userId, { id }) };
}
