import { recordAction } from "../accounts/actions";
import { replaceCodes } from "../accounts/second-factor/recovery-codes";
import { sessionOf, type UserSession } from "../accounts/session-store";
import type { AuditAction } from "../contract/audit-actions";
import type { Database, Transaction } from "../db/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";

/** Who changes his factors, as the session or the sign-in that asks knows him. */
export type FactorOwner = Pick<UserSession, "userId" | "sessionVersion">;

export interface FactorChange {
  /** With this the calling session continues; all others have ended. */
  readonly user: UserSession;
  /** Shown once; null when the user had codes. */
  readonly recoveryCodes: string[] | null;
}

/**
 * Changes a user's factors and ends all sessions, in one transaction. Changes of one user wait for
 * each other. Rejects with `sign_in_required` when the asking session has ended meanwhile.
 */
export function changeFactors(
  database: Database,
  { userId, sessionVersion }: FactorOwner,
  { action, work }: { action: AuditAction; work(transaction: Transaction): Promise<void> },
): Promise<FactorChange> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { count } = await transaction.user.updateMany({
      where: { id: userId, sessionVersion },
      data: { sessionVersion: { increment: 1 } },
    });
    if (count !== 1) throw new RelayError("sign_in_required");
    await work(transaction);
    const user = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    if (!user.hasSecondFactor) await transaction.recoveryCode.deleteMany({ where: { userId } });
    const isFirst =
      user.hasSecondFactor && (await transaction.recoveryCode.count({ where: { userId } })) === 0;
    const recoveryCodes = isFirst ? await replaceCodes(transaction, userId) : null;
    await recordAction(transaction, userId, action, userId);
    return { user: sessionOf(user), recoveryCodes };
  });
}

/** Throws `second_factor_needed` when a user who must have a factor has none left. */
export async function assertFactorLeft(
  transaction: Transaction,
  { userId, isRequired }: { userId: string; isRequired: boolean },
): Promise<void> {
  const { hasSecondFactor } = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
  if (isRequired && !hasSecondFactor) throw new RelayError("second_factor_needed");
}
