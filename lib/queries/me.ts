import { readTerms } from "../accounts/account-terms";
import { formatMultiplier } from "../accounts/multipliers";
import type { UserSession } from "../accounts/session-store";
import { welcomeWithheldReasons } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { formatPoints } from "../money/points";
import { accountBalance, statement } from "./account-balance";
import type { QueryDeps } from "./query-deps";

/** Whether any request of the account was ever charged. */
export async function hasSpent(
  { pool }: Pick<QueryDeps, "pool">,
  accountId: string,
): Promise<boolean> {
  return (await statement(pool, accountId)).charged > 0n;
}

/** The account's notice limit if fewer points are available; otherwise null. */
export async function lowBalanceOf(
  { pool, database }: Pick<QueryDeps, "pool" | "database">,
  accountId: string,
): Promise<string | null> {
  const { lowBalanceNotice } = await database.account.findUniqueOrThrow({
    where: { id: accountId },
  });
  if (lowBalanceNotice === null) return null;
  return (await accountBalance(pool, accountId)).available < lowBalanceNotice
    ? formatPoints(lowBalanceNotice)
    : null;
}

/** The signed-in user, the account's multipliers and its points. */
export async function showMe(
  { pool, database }: Pick<QueryDeps, "pool" | "database">,
  user: UserSession,
) {
  const { userId, accountId, email, name, isOperator, hasPassword, hasSecondFactor, role } = user;
  const [account, terms, balance, sums] = await Promise.all([
    database.account.findUniqueOrThrow({ where: { id: accountId } }),
    readTerms(pool, accountId),
    accountBalance(pool, accountId),
    statement(pool, accountId),
  ]);
  if (terms === null) throw new RelayError("not_found");
  return {
    user: { id: userId, email, name, isOperator, hasPassword, hasSecondFactor, role },
    account: {
      id: accountId,
      name: account.name,
      isOwn: accountId === user.ownAccountId,
      multiplier: formatMultiplier(terms.multiplierPpm(null)),
      modelMultipliers: terms.exceptions
        .filter((model) => terms.sees(model))
        .map((model) => ({ model, multiplier: formatMultiplier(terms.multiplierPpm(model)) })),
      welcomeWithheld:
        welcomeWithheldReasons.find((reason) => reason === account.welcomeWithheld) ?? null,
      suspension:
        account.suspendedAt === null
          ? null
          : { at: account.suspendedAt.toISOString(), reason: account.suspendedReason ?? "" },
      lowBalanceNotice:
        account.lowBalanceNotice === null ? null : formatPoints(account.lowBalanceNotice),
      joinsRetries: account.joinsRetries,
      contentDays: account.contentDays,
      keepsSessions: account.keepsSessions,
    },
    balance: {
      available: formatPoints(balance.available),
      held: formatPoints(balance.held),
      openHolds: balance.openHolds,
    },
    statement: {
      toppedUp: formatPoints(sums.toppedUp),
      charged: formatPoints(sums.charged),
      chargedThisMonth: formatPoints(sums.chargedThisMonth),
      takenBack: formatPoints(sums.takenBack),
    },
  };
}
