import type pg from "pg";
import type { Database } from "../db/client";
import { isRelayError, RelayError } from "../errors";
import type { Ledger } from "../ledger/verbs";
import type { Settings } from "../settings";
import { type CreatedAccount, cleanEmail, createAccount, openAccount } from "./create-account";
import { findInvite, type StoredInvite } from "./invites";
import { hashPassword, verifyPassword } from "./password";
import { bySignUp, countAttempt } from "./throttle";
import { welcomeRules } from "./welcome";

export interface AccountParts {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
  readonly settings: Settings;
}

/** Throws `sign_up_closed` unless anyone may make an account. */
export function assertSignUpOpen(settings: Settings): void {
  if (settings.RELAY_SIGNUP === "open") return;
  const message =
    settings.RELAY_SIGNUP === "invite" ? "New accounts are made by invitation here: ask whoever runs this service." : undefined;
  throw new RelayError("sign_up_closed", { message });
}

/** The invitation a sign-up brings. Throws `sign_up_closed` or `invite_invalid` where the sign-up may not go on. */
async function admitSignUp({ database, settings }: AccountParts, code: string | undefined): Promise<StoredInvite | null> {
  if (code === undefined || settings.RELAY_SIGNUP === "closed") {
    assertSignUpOpen(settings);
    return null;
  }
  const invite = await findInvite(database, code);
  if (invite === null) throw new RelayError("invite_invalid");
  return invite;
}

/**
 * Makes an account for an email and a password. A sign-up that was cut off half-way is finished by sending it again.
 * Rejects with `sign_up_closed`, `invite_invalid`, `already_exists` or `sign_in_rate_limited`.
 */
export async function signUp(
  parts: AccountParts,
  request: { email: string; password: string; name?: string; invite?: string; address?: string },
): Promise<CreatedAccount> {
  const { database, pool, ledger, settings } = parts;
  if (request.invite === undefined) assertSignUpOpen(settings);
  // Every attempt counts here, a good one too: each makes an account with a welcome grant.
  await countAttempt(pool, [bySignUp(request.address)]);
  const passwordHash = await hashPassword(request.password);
  const rules = welcomeRules(settings);
  try {
    const invite = await admitSignUp(parts, request.invite);
    return await createAccount(database, ledger, {
      email: request.email,
      passwordHash,
      name: request.name ?? null,
      isOperator: false,
      welcomePoints: invite?.points ?? rules.points,
      // Whoever was invited was chosen by an operator.
      ...(invite === null && { welcome: { rules, address: request.address } }),
      invite: invite === null ? undefined : request.invite,
    });
  } catch (error) {
    const isKnown = isRelayError(error) && (error.code === "already_exists" || error.code === "invite_invalid");
    const unfinished = isKnown ? await findUnfinished(database, request) : null;
    if (unfinished === null) throw error;
    await openAccount(database, ledger, unfinished.accountId);
    return unfinished;
  }
}

async function findUnfinished(database: Database, request: { email: string; password: string }): Promise<CreatedAccount | null> {
  const user = await database.user.findUnique({ where: { email: cleanEmail(request.email) }, include: { account: true } });
  if (user === null || user.account.openedAt !== null) return null;
  return (await verifyPassword(user.passwordHash, request.password)) ? { userId: user.id, accountId: user.accountId } : null;
}
