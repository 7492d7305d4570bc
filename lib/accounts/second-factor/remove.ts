import type { Transaction } from "../../db/client";

/** Removes all second factors of a user with the recovery codes. The caller ends the sessions. */
export async function removeFactors(
  transaction: Pick<Transaction, "userTotp" | "passkey" | "recoveryCode">,
  userId: string,
): Promise<void> {
  await transaction.userTotp.deleteMany({ where: { userId } });
  await transaction.passkey.deleteMany({ where: { userId } });
  await transaction.recoveryCode.deleteMany({ where: { userId } });
}
