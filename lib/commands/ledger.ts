/** What an operator does about work that dead processes left behind. */
import { recordAction } from "../accounts/actions";
import { inDatabaseTransaction } from "../db/transaction";
import type { CommandDeps } from "./command-deps";

/**
 * Charges what dead processes knew, releases what nobody knows; answers how many requests were ended. Every server does the
 * same by itself every few seconds, each end in a commit of its own, so the record says only who asked and what came of it.
 */
export async function sweepLedger({ database, ledger }: Pick<CommandDeps, "database" | "ledger">, actor: string): Promise<number> {
  const ended = await ledger.sweep();
  await inDatabaseTransaction(database, (transaction) =>
    recordAction(transaction, { actor, action: "ledger.sweep", subject: "ledger", detail: { ended } }),
  );
  return ended;
}

/** Gives a dead process up, whatever its spool may still hold; answers how many holds it had. Rejects with `not_found` while it lives. */
export function releaseNode({ ledger }: Pick<CommandDeps, "ledger">, actor: string, { id }: { id: string }): Promise<number> {
  return ledger.releaseNode(id, actor, (transaction, operations) =>
    recordAction(transaction, { actor, action: "node.release", subject: id, detail: { operations } }),
  );
}
