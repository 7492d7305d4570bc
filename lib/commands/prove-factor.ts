/** Checks a second factor: a code of the app, a recovery code, or a passkey. */
import { recordAction } from "../accounts/actions";
import { readChallenge, takeOnce } from "../accounts/second-factor/challenge";
import { hashOfCode } from "../accounts/second-factor/recovery-codes";
import { fittingTotp, stepOfCode } from "../accounts/second-factor/totp";
import { verifiedCounter } from "../accounts/second-factor/webauthn";
import { sessionOf, type UserSession } from "../accounts/session-store";
import { byAddress, byCode, countAttempt } from "../accounts/throttle";
import type { Assertion } from "../contract/passkeys";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database" | "pool" | "secrets">;

interface GivenCode {
  readonly userId: string;
  readonly code: string;
  readonly address: string | undefined;
}

/** Of two uses of one code, also at once, one updates the row. */
async function isAppCode({ database, secrets }: Deps, given: GivenCode): Promise<boolean> {
  const { userId, code } = given;
  const row = await database.userTotp.findFirst({ where: { userId, confirmedAt: { not: null } } });
  const secret = row === null ? null : fittingTotp(secrets, userId, row.sealed);
  const lastStep = secret === null ? null : stepOfCode(secret, code);
  if (lastStep === null) return false;
  const where = { userId, confirmedAt: { not: null }, lastStep: { lt: lastStep } };
  return (await database.userTotp.updateMany({ where, data: { lastStep } })).count === 1;
}

/** Uses up a recovery code. Of two uses of one code, also at once, one deletes the row. */
export function takeRecoveryCode(
  { database }: Pick<Deps, "database">,
  { userId, code }: Pick<GivenCode, "userId" | "code">,
): Promise<boolean> {
  return inDatabaseTransaction(database, async (transaction) => {
    const where = { userId, codeHash: hashOfCode(userId, code) };
    if ((await transaction.recoveryCode.deleteMany({ where })).count !== 1) return false;
    await recordAction(transaction, userId, "recovery_code.use", userId);
    return true;
  });
}

/**
 * Uses up a code of the app or a recovery code, and says which. Failures are counted for the user
 * and the address. Rejects with `wrong_credentials` or `sign_in_rate_limited`.
 */
export async function proveCode(deps: Deps, given: GivenCode): Promise<"app" | "recovery"> {
  const uncount = await countAttempt(deps.pool, [byCode(given.userId), byAddress(given.address)]);
  const digits = given.code.replace(/\s/g, "");
  const isOfApp = /^\d{6}$/.test(digits);
  const isRight = isOfApp
    ? await isAppCode(deps, { ...given, code: digits })
    : await takeRecoveryCode(deps, given);
  if (!isRight)
    throw new RelayError("wrong_credentials", {
      param: "code",
      message: "The code is wrong, or was used before.",
    });
  await uncount();
  return isOfApp ? "app" : "recovery";
}

/**
 * The user of a passkey that signed the challenge in the cookie. Rejects with `passkey_refused`: for
 * another user's passkey if `userId` is given, a challenge used before, a counter that went back.
 */
export async function provePasskey(
  { database, secrets }: Pick<Deps, "database" | "secrets">,
  given: {
    publicUrl: string;
    cookie: string | undefined;
    boundTo: string;
    assertion: Assertion;
    userId: string | null;
  },
): Promise<UserSession> {
  const { publicUrl, assertion, userId } = given;
  const challenge = readChallenge(secrets, given.cookie, given.boundTo);
  const passkey = await database.passkey.findUnique({ where: { credentialId: assertion.id } });
  if (passkey === null || (userId !== null && passkey.userId !== userId))
    throw new RelayError("passkey_refused");
  const handle = Buffer.from(assertion.userHandle ?? "", "base64url").toString();
  if (handle !== "" && handle !== passkey.userId) throw new RelayError("passkey_refused");
  const counter = await verifiedCounter(publicUrl, challenge.challenge, { assertion, passkey });
  return inDatabaseTransaction(database, async (transaction) => {
    const isFirst = await takeOnce(transaction, challenge);
    const { count } = await transaction.passkey.updateMany({
      where: { id: passkey.id, counter: passkey.counter },
      data: { counter, lastUsedAt: new Date() },
    });
    if (!isFirst || count !== 1) throw new RelayError("passkey_refused");
    // Read here: a passkey that is removed meanwhile waits, and then ends the session it begins.
    const where = { id: passkey.userId };
    return sessionOf(await transaction.user.findUniqueOrThrow({ where }));
  });
}
