/** Commands about a forgotten password. */
import { recordAction } from "../accounts/actions";
import { hashPassword } from "../accounts/password";
import { removeFactors } from "../accounts/second-factor/remove";
import { assertLink, endLinks, makeLink, takeLink } from "../accounts/user-links";
import type { Transaction } from "../db/client";
import type { User } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

/** Makes the link with which a user sets a new password, in place of an earlier one. */
export function makeResetLink(
  { database }: Deps,
  actor: string,
  { userId }: { userId: string },
): Promise<string> {
  return inDatabaseTransaction(database, async (transaction) => {
    const token = await makeLink(transaction, { userId, kind: "reset" });
    await recordAction(transaction, { actor, action: "password.reset_request", subject: userId });
    return token;
  });
}

/** Ends the sessions of a user with their password proofs, and the links sent so far. */
export async function endAccess(
  transaction: Transaction,
  user: Pick<User, "id" | "email">,
): Promise<void> {
  await transaction.userSession.deleteMany({ where: { userId: user.id } });
  await endLinks(transaction, user);
}

/** Removes the linked identities of a user, and the second factors, which is recorded. */
async function removeOtherWays(transaction: Transaction, user: User): Promise<void> {
  const { id: userId, hasSecondFactor } = user;
  await transaction.userIdentity.deleteMany({ where: { userId } });
  await removeFactors(transaction, userId);
  const record = { actor: userId, action: "second_factor.reset", subject: userId } as const;
  if (hasSecondFactor) await recordAction(transaction, record);
}

/**
 * Sets the password of the link's user. Rejects with `link_invalid`. The link proves the address. If
 * nothing had proved it before, whoever created the account may be a stranger, and other ways to
 * sign in to it, and second factors, are removed.
 */
export async function resetPassword(
  { database }: Deps,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<User> {
  await assertLink(database, "reset", token);
  const passwordHash = await hashPassword(newPassword);
  return inDatabaseTransaction(database, async (transaction) => {
    const { userId } = await takeLink(transaction, "reset", token);
    const { emailVerifiedAt } = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    const user = await transaction.user.update({
      where: { id: userId },
      data: {
        passwordHash,
        emailVerifiedAt: emailVerifiedAt ?? new Date(),
        sessionVersion: { increment: 1 },
      },
    });
    // After the update: a factor that a session adds meanwhile waits, and is then refused.
    if (emailVerifiedAt === null) await removeOtherWays(transaction, user);
    await endAccess(transaction, user);
    await recordAction(transaction, { actor: userId, action: "password.reset", subject: userId });
    return user;
  });
}

/** Sets a user's password, for the command line. Ends the user's sessions. */
export async function setPassword(
  { database }: Deps,
  actor: string,
  { userId, newPassword }: { userId: string; newPassword: string },
): Promise<void> {
  const passwordHash = await hashPassword(newPassword);
  await inDatabaseTransaction(database, async (transaction) => {
    const data = { passwordHash, sessionVersion: { increment: 1 } };
    const user = await transaction.user.update({ where: { id: userId }, data });
    await endAccess(transaction, user);
    await recordAction(transaction, { actor, action: "password.change", subject: userId });
  });
}
