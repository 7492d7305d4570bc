/** Commands about a forgotten password. */
import { recordAction } from "../accounts/actions";
import { hashPassword } from "../accounts/password";
import { type Found, lockOwned, renewUser } from "../accounts/renew-user";
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
    await recordAction(transaction, actor, "password.reset_request", userId);
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

interface Reset {
  readonly user: User;
  /** What was found and is gone, where nothing had proved the address before; else null. */
  readonly found: Found | null;
}

/**
 * Sets the password of the link's user. Rejects with `link_invalid`. The link proves the address. If
 * nothing had proved it before, whoever created the account may be a stranger: all that was given or
 * set until now is gone.
 */
export async function resetPassword(
  { database }: Deps,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<Reset> {
  await assertLink(database, "reset", token);
  const passwordHash = await hashPassword(newPassword);
  return inDatabaseTransaction(database, async (transaction) => {
    const { userId } = await takeLink(transaction, "reset", token);
    await lockOwned(transaction, userId);
    const { emailVerifiedAt } = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    const user = await transaction.user.update({
      where: { id: userId },
      data: {
        passwordHash,
        emailVerifiedAt: emailVerifiedAt ?? new Date(),
        sessionVersion: { increment: 1 },
      },
    });
    // After the update: what a session changes meanwhile waits, and is then refused.
    const found = emailVerifiedAt === null ? await renewUser(transaction, userId) : null;
    await endAccess(transaction, user);
    await recordAction(transaction, userId, "password.reset", userId, { detail: { found } });
    return { user, found };
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
    await recordAction(transaction, actor, "password.change", userId);
  });
}
