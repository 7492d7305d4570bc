/**
 * Commands about a user's address. The audit log cannot forget, so the addresses are not written
 * there.
 */
import { recordAction } from "../accounts/actions";
import { cleanEmail } from "../accounts/create-account";
import { type Found, lockOwned, renewUser } from "../accounts/renew-user";
import { canUndoEmail, isEmailReserved, makeLink, takeLink } from "../accounts/user-links";
import type { Transaction } from "../db/client";
import { isUniqueViolation } from "../db/database-errors";
import type { User } from "../db/generated/client";
import { inDatabaseTransaction } from "../db/transaction";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";
import { endAccess } from "./recovery";

type Deps = Pick<CommandDeps, "database">;

async function isTaken(transaction: Transaction, email: string, userId: string): Promise<boolean> {
  const others = await transaction.user.count({ where: { email, id: { not: userId } } });
  return others > 0 || isEmailReserved(transaction, email, userId);
}

interface EmailChange {
  /** The address in use. */
  readonly from: string;
  readonly to: string;
  /** Whether `to` belongs to another user: its link must not be sent, and the caller not told. */
  readonly isTaken: boolean;
  readonly confirmToken: string;
  readonly undoToken: string;
}

/**
 * Makes the links that confirm a new address and that keep the old one. Rejects with `invalid_value`
 * for the address in use, `email_changed_lately` while an earlier change can be undone.
 */
export function requestEmail(
  { database }: Deps,
  actor: string,
  { userId, email }: { userId: string; email: string },
): Promise<EmailChange> {
  const to = cleanEmail(email);
  return inDatabaseTransaction(database, async (transaction) => {
    const user = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    if (user.email === to) throw invalidValue("email", "This is your address already.");
    if (await canUndoEmail(transaction, user)) throw new RelayError("email_changed_lately");
    const change = {
      from: user.email,
      to,
      isTaken: await isTaken(transaction, to, userId),
      confirmToken: await makeLink(transaction, { userId, kind: "email", email: to }),
      undoToken: await makeLink(transaction, { userId, kind: "undo", email: user.email }),
    };
    await recordAction(transaction, actor, "email.request", userId);
    return change;
  });
}

/** A unique violation says that somebody else has taken the address meanwhile. */
const asInvalidLink = (error: unknown): never => {
  throw isUniqueViolation(error) ? new RelayError("link_invalid") : error;
};

/**
 * Changes the address to the confirmed one, for the user who asked for it only: otherwise the owner of
 * an address who follows a stranger's link would prove it for the stranger. Rejects with `link_invalid`.
 */
export function confirmEmail(
  { database }: Deps,
  actor: string,
  { token }: { token: string },
): Promise<User> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { userId, email } = await takeLink(transaction, "email", token);
    const before = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    if (userId !== actor || email === null || (await isTaken(transaction, email, userId)))
      throw new RelayError("link_invalid");
    const data = { email, emailVerifiedAt: new Date() };
    const user = await transaction.user.update({ where: { id: userId }, data });
    // Links sent to the old address no longer sign in or set a password.
    await transaction.verificationToken.deleteMany({ where: { identifier: before.email } });
    await transaction.userLink.deleteMany({ where: { userId, kind: "reset" } });
    await recordAction(transaction, userId, "email.change", userId);
    return user;
  }).catch(asInvalidLink);
}

/**
 * Keeps the address to which the link was sent, or brings it back, and ends all sessions. Whoever
 * asked for the change is a stranger, who may have made more: all that was given or set until now is
 * gone, and the password with it. Rejects with `link_invalid`.
 */
export function undoEmail(
  { database }: Deps,
  { token }: { token: string },
): Promise<{ user: User; found: Found }> {
  return inDatabaseTransaction(database, async (transaction) => {
    const { userId, email } = await takeLink(transaction, "undo", token);
    await lockOwned(transaction, userId);
    const before = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    const data = {
      email: email ?? before.email,
      // The link came to this address.
      emailVerifiedAt: new Date(),
      passwordHash: null,
      sessionVersion: { increment: 1 },
    };
    const user = await transaction.user.update({ where: { id: userId }, data });
    const found = await renewUser(transaction, userId);
    await endAccess(transaction, before);
    await recordAction(transaction, userId, "email.undo", userId, { detail: { found } });
    return { user, found };
  }).catch(asInvalidLink);
}

/** Changes a user's address at once, for the command line. Rejects with `already_exists`. */
export function changeEmail(
  { database }: Deps,
  actor: string,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const to = cleanEmail(email);
  return inDatabaseTransaction(database, async (transaction) => {
    const before = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
    if (before.email === to) return;
    if (await isTaken(transaction, to, userId))
      throw new RelayError("already_exists", { param: "to", message: `${to} has an account.` });
    const data = { email: to, emailVerifiedAt: null };
    await transaction.user.update({ where: { id: userId }, data });
    await transaction.verificationToken.deleteMany({ where: { identifier: before.email } });
    await transaction.userLink.deleteMany({ where: { userId } });
    await recordAction(transaction, actor, "email.change", userId);
  });
}
