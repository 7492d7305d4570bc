/** What an operator does with an account's points by hand: each needs a reason, and is written down with it (security 24). */
import type { Database } from "../db/client";
import { RelayError } from "../errors";
import type { Ledger } from "../ledger/verbs";
import { formatPoints, type Micropoints } from "../points";
import { type Action, recordAction } from "./actions";

interface MoneyParts {
  readonly database: Database;
  readonly ledger: Ledger;
}

interface ByHand {
  /** Chosen by whoever asks; sent again it changes nothing. */
  readonly ref: string;
  readonly reason: string;
  readonly actor: string;
}

export interface Moved {
  readonly entryId: string;
  readonly accountId: string;
  readonly amount: Micropoints;
  readonly isNew: boolean;
}

/** An entry is written down once, also when the process that made it ended before it could. */
async function recordEntry(database: Database, action: Action & { readonly detail: { readonly entry: string } }): Promise<void> {
  const { subject, action: name, detail } = action;
  const where = { subject, action: name, detail: { path: ["entry"], equals: detail.entry } };
  if ((await database.operatorAction.count({ where })) === 0) await recordAction(database, action);
}

const reused = () =>
  new RelayError("already_exists", { param: "ref", message: "This reference was used for another amount already. Nothing was changed." });

/** Adds points to an account, or takes them away where `amount` is negative. Rejects with `insufficient_points`, `already_exists`, `not_found`. */
export async function adjustPoints(
  { database, ledger }: MoneyParts,
  request: ByHand & { accountId: string; amount: Micropoints },
): Promise<Moved> {
  const { accountId, amount, reason, actor } = request;
  if (amount === 0n) throw new RelayError("invalid_value", { param: "points", message: "0 points change nothing." });
  const size = amount < 0n ? -amount : amount;
  const before = await ledger.balance(accountId);
  const kind = amount > 0n ? "adjust_up" : "adjust_down";
  const result = await ledger.credit({ accountId, kind, ref: request.ref, amount: size, reason, actor });
  if (result.result === "insufficient") {
    const message = `Only ${formatPoints(result.available)} points are available to take away.`;
    throw new RelayError("insufficient_points", { param: "points", message });
  }
  if (result.amount !== size) throw reused();
  const after = await ledger.balance(accountId);
  await recordEntry(database, {
    actor,
    action: "account.credit",
    subject: accountId,
    detail: { entry: result.entryId, points: formatPoints(amount), reason },
    before: { available: formatPoints(before.available) },
    after: { available: formatPoints(after.available) },
  });
  return { entryId: result.entryId, accountId, amount, isNew: result.result === "done" };
}

/**
 * Gives back the charge of a request, all of what is left of it or a part. Rejects with `not_found` where nothing was
 * charged, `invalid_value` for more than is left, `already_exists`.
 */
export async function refundCharge(
  { database, ledger }: MoneyParts,
  request: ByHand & { operationId: string; amount: Micropoints | null },
): Promise<Moved> {
  const { operationId, amount, reason, actor } = request;
  const result = await ledger.refund({ operationId, ref: request.ref, amount, reason, actor });
  if (result.result === "exceeds") {
    const left = formatPoints(result.left);
    const message =
      result.left === 0n ? "All of the charge was refunded already." : `Only ${left} points of the charge are left to refund.`;
    throw new RelayError("invalid_value", { param: "points", message });
  }
  if (amount !== null && result.amount !== amount) throw reused();
  await recordEntry(database, {
    actor,
    action: "charge.refund",
    subject: result.accountId,
    detail: { entry: result.entryId, operation: operationId, points: formatPoints(result.amount), reason },
  });
  return { entryId: result.entryId, accountId: result.accountId, amount: result.amount, isNew: result.result === "done" };
}
