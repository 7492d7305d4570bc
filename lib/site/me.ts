import { formatMultiplier } from "../accounts/multipliers";
import { formatPoints } from "../points";
import type { Call } from "./call";

/** The signed-in user, the account's multipliers and its points. */
export async function showMe({ parts, user }: Call) {
  const { userId, accountId, email, name, isOperator, hasPassword } = user();
  const [account, balance, statement] = await Promise.all([
    parts.database.account.findUniqueOrThrow({ where: { id: accountId }, include: { modelMultipliers: { orderBy: { model: "asc" } } } }),
    parts.history.balance(accountId),
    parts.history.statement(accountId),
  ]);
  return {
    user: { id: userId, email, name, isOperator, hasPassword },
    account: {
      id: accountId,
      multiplier: formatMultiplier(account.multiplierPpm),
      modelMultipliers: account.modelMultipliers.map(({ model, multiplierPpm }) => ({
        model,
        multiplier: formatMultiplier(multiplierPpm),
      })),
    },
    balance: { available: formatPoints(balance.available), held: formatPoints(balance.held), openHolds: balance.openHolds },
    statement: {
      toppedUp: formatPoints(statement.toppedUp),
      charged: formatPoints(statement.charged),
      chargedThisMonth: formatPoints(statement.chargedThisMonth),
    },
  };
}
