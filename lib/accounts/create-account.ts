import type { Database } from "../db/client";
import { RelayError } from "../errors";
import { newId } from "../ids";
import type { Ledger } from "../ledger/verbs";
import type { Micropoints } from "../points";
import { takeInvite } from "./invites";

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly name: string | null;
  readonly image?: string | null;
  readonly emailVerifiedAt?: Date | null;
  readonly isOperator: boolean;
  /** Granted once when the account is opened. */
  readonly welcomePoints: Micropoints;
  /** The code of an invitation that is used up by this account. */
  readonly invite?: string;
}

export interface CreatedAccount {
  readonly userId: string;
  readonly accountId: string;
}

export const cleanEmail = (email: string): string => email.trim().toLowerCase();

function isUniqueViolation(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === "P2002";
}

/**
 * A new account with its first user, its wallet and its welcome grant. When it ends between the steps, `openAccount`
 * finishes it later. Rejects with `already_exists` when the email has a user, `invite_invalid`.
 */
export async function createAccount(database: Database, ledger: Ledger, account: NewAccount): Promise<CreatedAccount> {
  const accountId = newId("account");
  const userId = newId("user");
  const { welcomePoints, invite, ...user } = account;
  const data = { id: accountId, welcomePoints, users: { create: { ...user, id: userId, email: cleanEmail(account.email) } } };
  try {
    await database.$transaction(async (transaction) => {
      await transaction.account.create({ data, select: { id: true } });
      if (invite !== undefined) await takeInvite(transaction, invite, accountId);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new RelayError("already_exists", {
      param: "email",
      message: "There is an account with this email address already. Sign in instead.",
    });
  }
  await openAccount(database, ledger, accountId);
  return { userId, accountId };
}

/** Makes the wallet and gives the welcome grant where either is missing; calling it again changes nothing. */
export async function openAccount(database: Database, ledger: Ledger, accountId: string): Promise<void> {
  const account = await database.account.findUniqueOrThrow({ where: { id: accountId } });
  if (account.openedAt !== null) return;
  await ledger.openWallet(accountId);
  if (account.welcomePoints > 0n) {
    await ledger.credit({
      accountId,
      kind: "grant",
      ref: `welcome:${accountId}`,
      amount: account.welcomePoints,
      reason: "Welcome",
      actor: "system",
    });
  }
  await database.account.update({ where: { id: accountId }, data: { openedAt: new Date() } });
}
