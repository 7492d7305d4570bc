import type { z } from "zod";
import { adjustPoints, refundCharge } from "../accounts/account-money";
import { changeKeyDefault, changeMultiplier, resumeAccount, suspendAccount } from "../accounts/account-standing";
import { recordAction } from "../accounts/actions";
import { revokeApiKey } from "../accounts/api-keys";
import { parseMultiplier } from "../accounts/multipliers";
import type { accountLimitsRequest, adjustRequest, multiplierRequest, refundRequest, suspendRequest } from "../contract/operator-accounts";
import { RelayError } from "../errors";
import { operationTrail } from "../ledger/request-log";
import { formatPoints } from "../points";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";
import { requireOperation } from "./find-operation";

const done = { done: true as const };

export async function adjustAccount({ parts, body, id, user }: Call<z.output<typeof adjustRequest>>) {
  const { reason, ref } = body;
  const moved = await adjustPoints(parts, {
    accountId: id,
    amount: requestedPoints("points", body.points),
    ref,
    reason,
    actor: user().userId,
  });
  const { available } = await parts.ledger.balance(id);
  return { entryId: moved.entryId, isNew: moved.isNew, available: formatPoints(available) };
}

export async function refundRequestCharge({ parts, body, id, user }: Call<z.output<typeof refundRequest>>) {
  const { operationId } = await requireOperation(parts, id);
  const amount = body.points === null ? null : requestedPoints("points", body.points);
  const { reason, ref } = body;
  const moved = await refundCharge(parts, { operationId, amount, ref, reason, actor: user().userId });
  const { refunds } = await operationTrail(parts.pool, operationId);
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0n);
  return { entryId: moved.entryId, isNew: moved.isNew, points: formatPoints(moved.amount), refunded: formatPoints(refunded) };
}

export async function setAccountMultiplier({ parts, body, id, user }: Call<z.output<typeof multiplierRequest>>) {
  const { model, multiplier, reason } = body;
  const multiplierPpm = multiplier === null ? null : parseMultiplier(multiplier);
  await changeMultiplier(parts.database, { accountId: id, model, multiplierPpm, reason, actor: user().userId });
  return done;
}

export async function setAccountLimits({ parts, body, id, user }: Call<z.output<typeof accountLimitsRequest>>) {
  await changeKeyDefault(parts.database, { accountId: id, requestsPerMinute: body.requestsPerMinute, actor: user().userId });
  return done;
}

export async function suspendAnAccount({ parts, body, id, user }: Call<z.output<typeof suspendRequest>>) {
  const { userId, accountId } = user();
  if (id === accountId) {
    throw new RelayError("invalid_value", { message: "This is your own account: suspending it would lock you out of these pages." });
  }
  await suspendAccount(parts.database, { accountId: id, reason: body.reason, actor: userId });
  parts.sessions.forget();
  return done;
}

export async function resumeAnAccount({ parts, id, user }: Call) {
  await resumeAccount(parts.database, { accountId: id, actor: user().userId });
  parts.sessions.forget();
  return done;
}

export async function revokeAnyKey({ parts, id, user }: Call) {
  await revokeApiKey(parts.database, { id, accountId: null, actor: user().userId });
  return done;
}

export async function endAnySession({ parts, id, user }: Call) {
  const session = await parts.database.userSession.findUnique({ where: { id } });
  if (session === null) throw new RelayError("not_found");
  await parts.sessions.end(id, session.expiresAt);
  await recordAction(parts.database, { actor: user().userId, action: "sessions.end_one", subject: session.userId });
  return done;
}
