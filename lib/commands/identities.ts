/** The other services through which a user signs in: each is added and removed by an action of its own. */
import { recordAction } from "../accounts/actions";
import type { LinkWish } from "../accounts/link-wish";
import { takeOnce } from "../accounts/second-factor/challenge";
import { sessionOf, type UserSession } from "../accounts/session-store";
import { identityId } from "../accounts/sign-in-services";
import { IDENTITIES_MAX } from "../contract/limits";
import type { Transaction } from "../db/client";
import { isUniqueViolation } from "../db/database-errors";
import type { UserIdentity } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { FactorOwner } from "./change-factors";
import type { CommandDeps } from "./command-deps";
import { endAccess } from "./recovery";

type Deps = Pick<CommandDeps, "database">;

function refusedAsTaken(error: unknown): never {
  if (isUniqueViolation(error))
    throw new RelayError("already_exists", { message: "This sign-in belongs to another user." });
  throw error;
}

/**
 * Adds an identity at another service to the user whose session wished it. Rejects with
 * `proof_required` for a wish that was used, `sign_in_required` when the session has ended
 * meanwhile, `already_exists`, or `invalid_value` beyond the most.
 */
export function linkIdentity(
  { database }: Deps,
  { userId, sessionVersion }: FactorOwner,
  {
    provider,
    providerAccountId,
    wish,
  }: Omit<UserIdentity, "userId" | "createdAt"> & { wish: LinkWish },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    // The user's row first, as every change of the ways to sign in.
    const where = { id: userId, sessionVersion };
    const asking = await transaction.user.updateMany({ where, data: { sessionVersion } });
    if (asking.count === 0) throw new RelayError("sign_in_required");
    if (!(await takeOnce(transaction, wish))) throw new RelayError("proof_required");
    if ((await transaction.userIdentity.count({ where: { userId } })) >= IDENTITIES_MAX)
      throw new RelayError("invalid_value", {
        message: `A user can have at most ${IDENTITIES_MAX} of them. Remove one first.`,
        fault: { name: "too_many", bound: IDENTITIES_MAX, sent: IDENTITIES_MAX + 1 },
      });
    const data = { provider, providerAccountId, userId };
    await transaction.userIdentity.create({ data }).catch(refusedAsTaken);
    await recordAction(transaction, userId, "identity.link", userId, {
      detail: { service: provider },
    });
  });
}

/** Throws `invalid_value` where nothing is left with which the user could sign in. */
async function assertWayLeft(transaction: Transaction, userId: string, hasMail: boolean) {
  const { passwordHash } = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
  if (passwordHash !== null || hasMail) return;
  const where = { userId };
  const left = await Promise.all([
    transaction.userIdentity.count({ where }),
    transaction.passkey.count({ where }),
  ]);
  if (left.every((count) => count === 0))
    throw new RelayError("invalid_value", {
      message: "This is the only way to sign in. Set a password or add another way first.",
      fault: { name: "last_sign_in" },
    });
}

/**
 * Removes an identity, and ends all sessions: one may have begun with it. Answers the state with
 * which the calling session continues. Rejects with `not_found`, or `invalid_value` for the last way.
 */
export function removeIdentity(
  { database }: Deps,
  actor: string,
  { userId, id, hasMail }: { userId: string; id: string; hasMail: boolean },
): Promise<UserSession> {
  return inDatabaseTransaction(database, async (transaction) => {
    const data = { sessionVersion: { increment: 1 } };
    const user = await transaction.user.update({ where: { id: userId }, data });
    const own = await transaction.userIdentity.findMany({ where: { userId } });
    const identity = own.find((each) => identityId(each) === id);
    if (identity === undefined) throw new RelayError("not_found");
    const { provider, providerAccountId } = identity;
    const where = { provider_providerAccountId: { provider, providerAccountId } };
    await transaction.userIdentity.delete({ where });
    await assertWayLeft(transaction, userId, hasMail);
    await endAccess(transaction, user);
    await recordAction(transaction, actor, "identity.remove", userId, {
      detail: { service: provider },
    });
    return sessionOf(user);
  });
}
