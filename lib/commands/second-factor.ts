/** Commands about the authenticator app, the recovery codes, and all factors of a user. */
import { recordAction } from "../accounts/actions";
import { replaceCodes } from "../accounts/second-factor/recovery-codes";
import { removeFactors } from "../accounts/second-factor/remove";
import { fittingTotp, newTotpSecret, sealTotp, stepOfCode } from "../accounts/second-factor/totp";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import {
  assertFactorLeft,
  changeFactors,
  type FactorChange,
  type FactorOwner,
} from "./change-factors";
import type { CommandDeps } from "./command-deps";
import { endAccess } from "./recovery";

type Deps = Pick<CommandDeps, "database">;
type SecretDeps = Pick<CommandDeps, "database" | "secrets">;

/**
 * Makes the secret of a new app. It counts for nothing until a code confirms it. Rejects with
 * `already_exists`, or `sign_in_required` when the asking session has ended meanwhile.
 */
export async function startTotp(
  { database, secrets }: SecretDeps,
  { userId, sessionVersion }: FactorOwner,
): Promise<string> {
  const secret = newTotpSecret();
  const sealed = sealTotp(secrets.current, userId, secret);
  await inDatabaseTransaction(database, async (transaction) => {
    // The user's row first, as every change of factors, so that no two block each other.
    const where = { id: userId, sessionVersion };
    const asking = await transaction.user.updateMany({ where, data: { sessionVersion } });
    if (asking.count === 0) throw new RelayError("sign_in_required");
    await transaction.userTotp.deleteMany({ where: { userId, confirmedAt: null } });
    const { count } = await transaction.userTotp.createMany({
      data: [{ userId, sealed }],
      skipDuplicates: true,
    });
    if (count === 0)
      throw new RelayError("already_exists", { message: "You have an authenticator app already." });
  });
  return secret;
}

/** Confirms the new app by one of its codes. Rejects with `wrong_credentials`. */
export function confirmTotp(
  { database, secrets }: SecretDeps,
  owner: FactorOwner,
  { code }: { code: string },
): Promise<FactorChange> {
  const { userId } = owner;
  const work = async (transaction: Parameters<typeof assertFactorLeft>[0]) => {
    const row = await transaction.userTotp.findFirst({ where: { userId, confirmedAt: null } });
    const secret = row === null ? null : fittingTotp(secrets, userId, row.sealed);
    const lastStep = secret === null ? null : stepOfCode(secret, code);
    const wrong = { param: "code", message: "The code is wrong." };
    if (row === null || lastStep === null) throw new RelayError("wrong_credentials", wrong);
    const data = { confirmedAt: new Date(), lastStep };
    // Not another secret, of a set-up that began meanwhile.
    const where = { userId, confirmedAt: null, sealed: row.sealed };
    const { count } = await transaction.userTotp.updateMany({ where, data });
    if (count === 0) throw new RelayError("wrong_credentials", wrong);
  };
  return changeFactors(database, owner, { action: "totp.add", work });
}

/** Rejects with `not_found`, or `second_factor_needed` for the last factor where one is required. */
export function removeTotp(
  { database }: Deps,
  owner: FactorOwner,
  { isRequired }: { isRequired: boolean },
): Promise<FactorChange> {
  const { userId } = owner;
  return changeFactors(database, owner, {
    action: "totp.remove",
    async work(transaction) {
      const { count } = await transaction.userTotp.deleteMany({
        where: { userId, confirmedAt: { not: null } },
      });
      if (count === 0) throw new RelayError("not_found");
      await assertFactorLeft(transaction, { userId, isRequired });
    },
  });
}

/** Makes recovery codes anew; the earlier ones end. Rejects with `not_found` without a factor. */
export function makeRecoveryCodes(
  { database }: Deps,
  actor: string,
  { userId }: { userId: string },
): Promise<string[]> {
  return inDatabaseTransaction(database, async (transaction) => {
    // Changes of one user's factors wait for each other.
    const where = { id: userId, hasSecondFactor: true };
    const { count } = await transaction.user.updateMany({ where, data: { hasSecondFactor: true } });
    if (count === 0) throw new RelayError("not_found");
    const codes = await replaceCodes(transaction, userId);
    await recordAction(transaction, actor, "recovery_codes.make", userId);
    return codes;
  });
}

/** Removes all factors of a user and ends all sessions, for the command line. */
export function resetSecondFactor(
  { database }: Deps,
  actor: string,
  { userId }: { userId: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const data = { sessionVersion: { increment: 1 } };
    const user = await transaction.user.update({ where: { id: userId }, data });
    await removeFactors(transaction, userId);
    await endAccess(transaction, user);
    await recordAction(transaction, actor, "second_factor.reset", userId);
  });
}
