import { newId } from "../crypto/ids";
import type { Database, Transaction } from "../db/client";
import { isUniqueViolation } from "../db/database-errors";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { Ledger } from "../ledger/core/verbs";
import type { Micropoints } from "../money/points";
import { redeemInvite } from "./invites";
import { noteGift } from "./mailbox";
import { type CameBy, recordReferral } from "./referral";
import { isEmailReserved } from "./user-links";
import { countWelcome, decideWelcome, type WelcomeRules } from "./welcome";

export interface NewAccount {
  readonly email: string;
  readonly passwordHash?: string | null;
  readonly name?: string | null;
  readonly image?: string | null;
  readonly emailVerifiedAt?: Date | null;
  readonly isOperator?: boolean;
  /** Granted once, when the account is opened. */
  readonly welcomePoints?: Micropoints;
  /** The rules under which a stranger gets the points. Absent when an operator grants them. */
  readonly welcome?: { readonly rules: WelcomeRules; readonly address: string | undefined };
  /** The link of another account that led here. */
  readonly cameBy?: CameBy | undefined;
  /** The code of the invitation that this account uses up. */
  readonly invite?: string | undefined;
}

export interface CreatedAccount {
  readonly userId: string;
  readonly accountId: string;
}

const taken = () =>
  new RelayError("already_exists", {
    param: "email",
    message: "An account with this email address already exists. Sign in instead.",
  });

export const cleanEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Creates an account with its first user, its wallet and its welcome grant. If the process dies
 * between the steps, `openAccount` completes them later. `beforeCommit` writes in the transaction that
 * creates the account. Rejects with `already_exists` when the email has a user, `invite_invalid`.
 */
export async function createAccount(
  database: Database,
  ledger: Ledger,
  account: NewAccount,
  beforeCommit?: (transaction: Transaction, accountId: string) => Promise<void>,
): Promise<CreatedAccount> {
  const accountId = newId("account");
  const userId = newId("user");
  const { welcomePoints = 0n, welcome, cameBy, invite, ...user } = account;
  const email = cleanEmail(account.email);
  const asked = { email, address: welcome?.address, isVerified: account.emailVerifiedAt != null };
  try {
    await inDatabaseTransaction(database, async (transaction) => {
      if (await isEmailReserved(transaction, email)) throw taken();
      const withheld =
        welcome === undefined ? null : await decideWelcome(transaction, welcome.rules, asked);
      // Points that wait for a verified address are stored with the account. Points that were
      // refused are not owed later.
      const owed = withheld === null || withheld === "unverified" ? welcomePoints : 0n;
      const users = { create: { ...user, id: userId, email } };
      await transaction.account.create({
        data: { id: accountId, welcomePoints: owed, welcomeWithheld: withheld, users },
        select: { id: true },
      });
      if (welcome !== undefined && withheld === null && owed > 0n)
        await countWelcome(transaction, accountId, asked);
      if (withheld === null && owed > 0n) await noteGift(transaction, { accountId, email });
      if (cameBy !== undefined) await recordReferral(transaction, { id: accountId, email }, cameBy);
      if (invite !== undefined) await redeemInvite(transaction, invite, accountId);
      await beforeCommit?.(transaction, accountId);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
  await openAccount(database, ledger, accountId);
  return { userId, accountId };
}

/** Creates the wallet and grants the welcome points if either is missing. Safe to repeat. */
export async function openAccount(
  database: Database,
  ledger: Ledger,
  accountId: string,
): Promise<void> {
  const account = await database.account.findUniqueOrThrow({ where: { id: accountId } });
  if (account.openedAt !== null) return;
  await ledger.openWallet(accountId);
  if (account.welcomePoints > 0n && account.welcomeWithheld === null) {
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

/**
 * Grants the points that waited for the user's email address, which is now verified. Otherwise
 * changes nothing.
 */
export async function releaseWelcome(
  database: Database,
  ledger: Ledger,
  request: { userId: string; rules: WelcomeRules; address: string | undefined },
): Promise<void> {
  const { userId, rules, address } = request;
  const accountId = await inDatabaseTransaction(database, async (transaction) => {
    const { accountId, email } = await transaction.user.findUniqueOrThrow({
      where: { id: userId },
    });
    // The update also makes a second, concurrent verification wait for the first.
    const { count } = await transaction.account.updateMany({
      where: { id: accountId, welcomeWithheld: "unverified" },
      data: { welcomeWithheld: null, openedAt: null },
    });
    if (count === 0) return null;
    const asked = { email, address, isVerified: true };
    const withheld = await decideWelcome(transaction, rules, asked);
    if (withheld === null) {
      await countWelcome(transaction, accountId, asked);
      await noteGift(transaction, { accountId, email });
    } else
      await transaction.account.update({
        where: { id: accountId },
        data: { welcomeWithheld: withheld, welcomePoints: 0n },
      });
    return accountId;
  });
  if (accountId !== null) await openAccount(database, ledger, accountId);
}
