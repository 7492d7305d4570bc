import { recordAction } from "../accounts/actions";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

/**
 * Marks a flagged payment as seen by an operator. Repeating it changes nothing. Rejects with
 * `not_found`.
 */
export function attendPayment(
  { database }: Pick<CommandDeps, "database">,
  actor: string,
  { id }: { id: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.payment.findUnique({
      where: { id },
      select: { attention: true },
    });
    if (before === null)
      throw new RelayError("not_found", { message: `There is no payment ${id}.` });
    if (before.attention === null) return;
    await transaction.payment.update({ where: { id }, data: { attention: null } });
    await recordAction(transaction, actor, "payment.attend", id, {
      before,
      after: { attention: null },
    });
  });
}
