/** Commands for work that dead processes left behind. */
import { recordAction } from "../accounts/actions";
import { inDatabaseTransaction } from "../db/transaction";
import type { CommandDeps } from "./command-deps";

/**
 * Replays the spools of dead processes and releases the holds that no spool settles; returns how
 * many requests it ended. Servers do this by themselves every few seconds. Each end is a commit of
 * its own, so the record only says who asked and how many were ended.
 */
export async function sweepLedger(
  { database, ledger }: Pick<CommandDeps, "database" | "ledger">,
  actor: string,
): Promise<number> {
  const ended = await ledger.sweep();
  await inDatabaseTransaction(database, (transaction) =>
    recordAction(transaction, actor, "ledger.sweep", "ledger", { detail: { ended } }),
  );
  return ended;
}

/**
 * Gives up a dead process although its spool may still hold charges; returns how many holds it had.
 * Rejects with `not_found` while the process is alive.
 */
export function releaseNode(
  { ledger }: Pick<CommandDeps, "ledger">,
  actor: string,
  { id }: { id: string },
): Promise<number> {
  return ledger.releaseNode(id, actor, (transaction, operations) =>
    recordAction(transaction, actor, "node.release", id, { detail: { operations } }),
  );
}
