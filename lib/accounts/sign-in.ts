import { RelayError } from "../errors";
import { recordAction } from "./actions";
import { cleanEmail, openAccount } from "./create-account";
import { hashPassword, isPasswordHashOld, verifyPassword } from "./password";
import { sessionOf, type UserSession } from "./sessions";
import type { AccountParts } from "./sign-up";
import { byAddress, bySignIn, countAttempt } from "./throttle";

/**
 * The user behind an email and a password. Rejects with `wrong_credentials`, the same for an unknown email as for a wrong
 * password, or `sign_in_rate_limited`. Upgrades a hash of old parameters, and finishes an account left half-made.
 */
export async function signInWithPassword(
  parts: Omit<AccountParts, "settings">,
  request: { email: string; password: string; address?: string },
): Promise<UserSession> {
  const { database, pool, ledger } = parts;
  const email = cleanEmail(request.email);
  const uncount = await countAttempt(pool, [bySignIn(email), byAddress(request.address)]);
  const user = request.password.length > 200 ? null : await database.user.findUnique({ where: { email }, include: { account: true } });
  if (!(await verifyPassword(user?.passwordHash ?? null, request.password.slice(0, 200))) || user === null)
    throw new RelayError("wrong_credentials");
  await uncount();
  if (user.passwordHash !== null && isPasswordHashOld(user.passwordHash)) {
    await database.user.updateMany({
      where: { id: user.id, passwordHash: user.passwordHash },
      data: { passwordHash: await hashPassword(request.password) },
    });
  }
  if (user.account.openedAt === null) await openAccount(database, ledger, user.accountId);
  return sessionOf(user);
}

/** Resolves when the password is the user's. Rejects with `wrong_credentials` or `sign_in_rate_limited`, counted as a sign-in is. */
export async function provePassword(
  { database, pool }: Pick<AccountParts, "database" | "pool">,
  request: { userId: string; password: string; address?: string },
): Promise<void> {
  const user = await database.user.findUniqueOrThrow({ where: { id: request.userId } });
  const uncount = await countAttempt(pool, [bySignIn(user.email), byAddress(request.address)]);
  if (!(await verifyPassword(user.passwordHash, request.password))) {
    throw new RelayError("wrong_credentials", { param: "password", message: "The password is not right." });
  }
  await uncount();
}

/**
 * Sets a new password and ends all sessions and sign-in links of the user; answers the state for a session to go on with.
 * A user who has a password proves it, under the same count of failures as a sign-in. Rejects with `wrong_credentials`.
 */
export async function changePassword(
  parts: Pick<AccountParts, "database" | "pool">,
  request: { userId: string; currentPassword?: string; newPassword: string; address?: string },
): Promise<UserSession> {
  const { database, pool } = parts;
  const user = await database.user.findUniqueOrThrow({ where: { id: request.userId } });
  if (user.passwordHash !== null) {
    const uncount = await countAttempt(pool, [bySignIn(user.email), byAddress(request.address)]);
    if (!(await verifyPassword(user.passwordHash, request.currentPassword ?? ""))) {
      throw new RelayError("wrong_credentials", { param: "currentPassword", message: "The current password is not right." });
    }
    await uncount();
  }
  const passwordHash = await hashPassword(request.newPassword);
  const [changed] = await database.$transaction([
    database.user.update({ where: { id: user.id }, data: { passwordHash, sessionVersion: { increment: 1 } } }),
    database.verificationToken.deleteMany({ where: { identifier: user.email } }),
  ]);
  await recordAction(database, { actor: user.id, action: "password.change", subject: user.id });
  return sessionOf(changed);
}
