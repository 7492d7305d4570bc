import type pg from "pg";
import type { Database } from "../db/client";
import { isRelayError, RelayError } from "../failures/relay-error";
import type { Ledger } from "../ledger/core/verbs";
import type { Settings } from "../settings/settings";
import { type CreatedAccount, cleanEmail, createAccount, openAccount } from "./create-account";
import { findInvite, type StoredInvite } from "./invites";
import { hashPassword, verifyPassword } from "./password";
import type { CameBy } from "./referral";
import { byAddress, bySignIn, bySignUp, countAttempt } from "./throttle";
import { welcomeRules } from "./welcome";

export interface AccountDeps {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
  readonly settings: Settings;
}

/** Throws `sign_up_closed` unless anyone may create an account. */
export function assertSignUpOpen(settings: Settings): void {
  if (settings.RELAY_SIGNUP === "open") return;
  const message =
    settings.RELAY_SIGNUP === "invite"
      ? "Sign-up is by invitation only: ask the operator of this service for one."
      : undefined;
  throw new RelayError("sign_up_closed", { message });
}

/**
 * The invitation of a sign-up. Throws `sign_up_closed` or `invite_invalid` when the sign-up is not
 * allowed.
 */
async function admitSignUp(
  { database, settings }: AccountDeps,
  code: string | undefined,
): Promise<StoredInvite | null> {
  if (code === undefined || settings.RELAY_SIGNUP === "closed") {
    assertSignUpOpen(settings);
    return null;
  }
  const invite = await findInvite(database, code);
  if (invite === null) throw new RelayError("invite_invalid");
  return invite;
}

/**
 * Creates an account for an email and a password. If the email has an account already, the right
 * password returns that account, so that a sign-up that was interrupted is completed by repeating
 * it; a wrong password counts and is answered as a failed sign-in. Where mail is set up, accounts
 * are created by mailed links instead, which do not reveal whether an address has an account; a
 * sign-up with an invitation needs no mail. Rejects with `sign_up_closed`, `invite_invalid`,
 * `wrong_credentials` or `sign_in_rate_limited`.
 */
export async function signUp(
  deps: AccountDeps,
  request: {
    email: string;
    password: string;
    name?: string | undefined;
    invite?: string | undefined;
    address?: string | undefined;
    cameBy?: CameBy | undefined;
  },
): Promise<CreatedAccount> {
  const { database, pool, ledger, settings } = deps;
  if (request.invite === undefined) assertSignUpOpen(settings);
  if (request.invite === undefined && settings.SMTP_URL !== undefined)
    throw new RelayError("sign_up_closed", { message: BY_MAIL });
  // Every attempt counts here, also a successful one: each creates an account.
  await countAttempt(pool, [bySignUp(request.address)]);
  const passwordHash = await hashPassword(request.password);
  const rules = welcomeRules(settings);
  try {
    const invite = await admitSignUp(deps, request.invite);
    return await createAccount(database, ledger, {
      email: request.email,
      passwordHash,
      name: request.name ?? null,
      welcomePoints: invite?.points ?? rules.points,
      // An operator invited this user, so the welcome rules do not apply.
      ...(invite === null && { welcome: { rules, address: request.address } }),
      cameBy: invite === null ? request.cameBy : undefined,
      invite: invite === null ? undefined : request.invite,
    });
  } catch (error) {
    if (!isRelayError(error)) throw error;
    // A repeated sign-up finds its invitation used by itself.
    if (error.code === "invite_invalid")
      return (await findOwn(deps, request)) ?? Promise.reject(error);
    if (error.code !== "already_exists") throw error;
    const own = await findOwn(deps, request);
    if (own !== null) return own;
    throw new RelayError("wrong_credentials", {
      param: "email",
      message: "Neither sign-up nor sign-in succeeded with this email address and password.",
    });
  }
}

const BY_MAIL = "Sign-up needs a link sent by mail: request one on the sign-up page.";

/**
 * The account with this email and password, completed if its creation was interrupted. Counts as a
 * sign-in does.
 */
async function findOwn(
  { database, pool, ledger }: AccountDeps,
  request: { email: string; password: string; address?: string | undefined },
): Promise<CreatedAccount | null> {
  const email = cleanEmail(request.email);
  const uncount = await countAttempt(pool, [bySignIn(email), byAddress(request.address)]);
  const user = await database.user.findUnique({ where: { email }, include: { account: true } });
  if (!(await verifyPassword(user?.passwordHash ?? null, request.password)) || user === null)
    return null;
  await uncount();
  if (user.account.openedAt === null) await openAccount(database, ledger, user.accountId);
  return { userId: user.id, accountId: user.accountId };
}
