import type { z } from "zod";
import { recordAction } from "../accounts/actions";
import { emailsOf } from "../accounts/find-accounts";
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

/** Runs the sweep now: what dead processes knew is charged, what nobody knows is released. */
export async function checkNow({ parts, user }: Call) {
  const ended = await parts.ledger.sweep();
  await recordAction(parts.database, { actor: user().userId, action: "ledger.sweep", subject: "ledger", detail: { ended } });
  return { ended };
}

/** Gives a dead process up, whatever its spool may still hold. Rejects with `not_found` while it lives. */
export async function giveNodeUp({ parts, id, user }: Call) {
  const actor = user().userId;
  const operations = await parts.ledger.releaseNode(id, actor);
  await recordAction(parts.database, { actor, action: "node.release", subject: id, detail: { operations } });
  return { operations };
}
