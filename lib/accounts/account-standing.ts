/** What an operator decides about an account: whether it may work, what it pays, what its new keys may do. All of it is written down. */
import type { Database } from "../db/client";
import { RelayError } from "../errors";
import { recordAction } from "./actions";
import { formatMultiplier, setMultiplier } from "./multipliers";

const missing = () => new RelayError("not_found", { message: "There is no such account." });

/**
 * Refuses the account's keys and its playground from now on, in every process within seconds; what runs is settled.
 * Its people can sign in and read why. Again changes nothing. Rejects with `not_found`.
 */
export async function suspendAccount(database: Database, request: { accountId: string; reason: string; actor: string }): Promise<void> {
  const { accountId, reason, actor } = request;
  const { count } = await database.account.updateMany({
    where: { id: accountId, status: "active" },
    data: { status: "suspended", suspendedAt: new Date(), suspendedReason: reason },
  });
  if (count === 0) return assertThere(database, accountId);
  const change = { before: { status: "active" }, after: { status: "suspended" } };
  await recordAction(database, { actor, action: "account.suspend", subject: accountId, detail: { reason }, ...change });
}

/** Lets a suspended account work again; again changes nothing. Rejects with `not_found`. */
export async function resumeAccount(database: Database, request: { accountId: string; actor: string }): Promise<void> {
  const { accountId, actor } = request;
  const { count } = await database.account.updateMany({
    where: { id: accountId, status: "suspended" },
    data: { status: "active", suspendedAt: null, suspendedReason: null },
  });
  if (count === 0) return assertThere(database, accountId);
  await recordAction(database, {
    actor,
    action: "account.resume",
    subject: accountId,
    before: { status: "suspended" },
    after: { status: "active" },
  });
}

async function assertThere(database: Database, accountId: string): Promise<void> {
  if ((await database.account.count({ where: { id: accountId } })) === 0) throw missing();
}

/**
 * Sets the factor of an account, or of one model for it; null takes a model's own factor away again. For requests from
 * now on. Rejects with `not_found` or `model_not_found`.
 */
export async function changeMultiplier(
  database: Database,
  change: { accountId: string; model: string | null; multiplierPpm: number | null; reason: string | null; actor: string },
): Promise<void> {
  const { accountId, model, multiplierPpm, reason, actor } = change;
  const account = await database.account.findUnique({ where: { id: accountId }, include: { modelMultipliers: true } });
  if (account === null) throw missing();
  const own = account.modelMultipliers.find((each) => each.model === model);
  if (multiplierPpm !== null) await setMultiplier(database, { accountId, model, multiplierPpm });
  else if (model === null) {
    throw new RelayError("invalid_value", { param: "multiplier", message: "An account always has a multiplier; 1 is the usual one." });
  } else await database.accountModelMultiplier.deleteMany({ where: { accountId, model } });
  const before = model === null ? account.multiplierPpm : own?.multiplierPpm;
  const text = (ppm: number | null | undefined) => (ppm == null ? null : formatMultiplier(ppm));
  await recordAction(database, {
    actor,
    action: "account.multiplier",
    subject: accountId,
    detail: { ...(model === null ? {} : { model }), ...(reason === null ? {} : { reason }) },
    before: { multiplier: text(before) },
    after: { multiplier: text(multiplierPpm) },
  });
}

/** Sets how many requests a minute new keys of the account get when they name no number; null: as the installation has it. */
export async function changeKeyDefault(
  database: Database,
  change: { accountId: string; requestsPerMinute: number | null; actor: string },
): Promise<void> {
  const { accountId, requestsPerMinute, actor } = change;
  const account = await database.account.findUnique({ where: { id: accountId } });
  if (account === null) throw missing();
  await database.account.update({ where: { id: accountId }, data: { keyRequestsPerMinute: requestsPerMinute } });
  await recordAction(database, {
    actor,
    action: "account.key_limit",
    subject: accountId,
    before: { requestsPerMinute: account.keyRequestsPerMinute },
    after: { requestsPerMinute },
  });
}

/** Makes a user an operator, or takes that away. The command line alone does so (security 18). Ends the user's sessions. */
export async function setOperator(database: Database, request: { userId: string; isOperator: boolean; actor: string }): Promise<void> {
  const { userId, isOperator, actor } = request;
  const { count } = await database.user.updateMany({
    where: { id: userId, isOperator: !isOperator },
    data: { isOperator, sessionVersion: { increment: 1 } },
  });
  if (count === 0) return;
  const change = { before: { operator: !isOperator }, after: { operator: isOperator } };
  await recordAction(database, { actor, action: "user.operator", subject: userId, ...change });
}
