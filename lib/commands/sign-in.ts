import { recordAction } from "../accounts/actions";
import { cleanEmail, openAccount } from "../accounts/create-account";
import type { Device } from "../accounts/known-device";
import { mayOperateFrom } from "../accounts/operator-addresses";
import { hashPassword, isPasswordHashOld, verifyPassword } from "../accounts/password";
import { sessionOf, type UserSession } from "../accounts/session-store";
import type { AccountDeps } from "../accounts/sign-up";
import {
  byAddress,
  byDevice,
  bySession,
  bySignIn,
  countAttempt,
  type Subject,
} from "../accounts/throttle";
import { endLinks } from "../accounts/user-links";
import { PASSWORD_LENGTH_MAX } from "../contract/limits";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";

const failuresBy = (email: string, address: string | undefined): Subject[] => [
  bySignIn(email),
  byAddress(address),
];

/**
 * The user with an email and a password. Rejects with `wrong_credentials`, the same for an unknown
 * email as for a wrong password, or `sign_in_rate_limited`. Failures in a browser in which the user
 * signed in before are counted for that browser only, so that strangers cannot lock the user out of
 * it. Upgrades a hash with old parameters, and completes an account whose creation was interrupted.
 */
export async function signInWithPassword(
  deps: AccountDeps,
  request: {
    email: string;
    password: string;
    address?: string | undefined;
    device?: Device | null;
  },
): Promise<UserSession> {
  const { database, pool, ledger, settings } = deps;
  const email = cleanEmail(request.email);
  const found = await database.user.findUnique({ where: { email }, include: { account: true } });
  const device = found === null || request.device?.knows(found.id) !== true ? null : request.device;
  const uncount = await countAttempt(
    pool,
    found && device ? [byDevice(device.id, found.id)] : failuresBy(email, request.address),
  );
  const user = request.password.length > PASSWORD_LENGTH_MAX ? null : found;
  if (
    !(await verifyPassword(
      user?.passwordHash ?? null,
      request.password.slice(0, PASSWORD_LENGTH_MAX),
    )) ||
    user === null
  )
    throw new RelayError("wrong_credentials");
  if (user.isOperator && !mayOperateFrom(settings, request.address)) {
    const detail = { address: request.address ?? null };
    await inDatabaseTransaction(database, (transaction) =>
      recordAction(transaction, user.id, "sign_in.address_refused", user.id, { detail }),
    );
    throw new RelayError("wrong_credentials");
  }
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

/**
 * Failures in an active session are counted for the session; without one they are counted as at
 * sign-in.
 */
const failuresIn = (
  sessionId: string | null | undefined,
  email: string,
  address: string | undefined,
): Subject[] => (sessionId == null ? failuresBy(email, address) : [bySession(sessionId)]);

/**
 * Resolves when the password is the user's. Rejects with `wrong_credentials` or
 * `sign_in_rate_limited`; failures are counted for the session.
 */
export async function provePassword(
  { database, pool }: Pick<AccountDeps, "database" | "pool">,
  request: {
    userId: string;
    password: string;
    sessionId?: string | null;
    address?: string | undefined;
  },
): Promise<void> {
  const user = await database.user.findUniqueOrThrow({ where: { id: request.userId } });
  const uncount = await countAttempt(
    pool,
    failuresIn(request.sessionId, user.email, request.address),
  );
  if (!(await verifyPassword(user.passwordHash, request.password))) {
    throw new RelayError("wrong_credentials", {
      param: "password",
      message: "The password is wrong.",
    });
  }
  await uncount();
}

/**
 * Sets a new password for the signed-in user, and ends all of the user's sessions and sign-in
 * links. Returns the state with which the calling session continues. A user with a password must
 * give it; failures are counted for the session. Rejects with `wrong_credentials`.
 */
export async function changePassword(
  { database, pool }: Pick<AccountDeps, "database" | "pool">,
  actor: string,
  input: {
    currentPassword?: string | undefined;
    newPassword: string;
    sessionId?: string | null;
    address?: string | undefined;
  },
): Promise<UserSession> {
  const user = await database.user.findUniqueOrThrow({ where: { id: actor } });
  if (user.passwordHash !== null) {
    const uncount = await countAttempt(
      pool,
      failuresIn(input.sessionId, user.email, input.address),
    );
    if (!(await verifyPassword(user.passwordHash, input.currentPassword ?? ""))) {
      throw new RelayError("wrong_credentials", {
        param: "currentPassword",
        message: "The current password is wrong.",
      });
    }
    await uncount();
  }
  const passwordHash = await hashPassword(input.newPassword);
  return inDatabaseTransaction(database, async (transaction) => {
    const data = { passwordHash, sessionVersion: { increment: 1 } };
    // Not over a password that was set while this one was checked.
    const { id, passwordHash: earlier } = user;
    const { count } = await transaction.user.updateMany({
      where: { id, passwordHash: earlier },
      data,
    });
    if (count === 0) throw new RelayError("wrong_credentials", { param: "currentPassword" });
    const changed = await transaction.user.findUniqueOrThrow({ where: { id } });
    await endLinks(transaction, user);
    await recordAction(transaction, actor, "password.change", user.id);
    return sessionOf(changed);
  });
}
