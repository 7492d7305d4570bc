import type { z } from "zod";
import { parseMultiplier } from "../accounts/multipliers";
import { changeKeyDefault, changeMultiplier, resumeAccount, suspendAccount } from "../commands/accounts";
import { revokeApiKey } from "../commands/api-keys";
import { adjustPoints, refundCharge } from "../commands/points";
import { endSession } from "../commands/sessions";
import type { accountLimitsRequest, adjustRequest, multiplierRequest, refundRequest, suspendRequest } from "../contract/operator-accounts";
import { RelayError } from "../errors";
import { formatPoints } from "../points";
import { requireOperation } from "../queries/operations";
import { operationTrail } from "../queries/request-log";
import { requestedPoints } from "../requested-points";
import type { Call } from "../site/call";

const done = { done: true as const };

export async function adjustAccount({ parts, body, id, user }: Call<z.output<typeof adjustRequest>>) {
  const { reason, ref } = body;
  const amount = requestedPoints("points", body.points);
  const moved = await adjustPoints(parts, user().userId, { accountId: id, amount, ref, reason });
  const { available } = await parts.ledger.balance(id);
  return { entryId: moved.entryId, isNew: moved.isNew, available: formatPoints(available) };
}

export async function refundRequestCharge({ parts, body, id, user }: Call<z.output<typeof refundRequest>>) {
  const { operationId } = await requireOperation(parts, id);
  const amount = body.points === null ? null : requestedPoints("points", body.points);
  const { reason, ref } = body;
  const moved = await refundCharge(parts, user().userId, { operationId, amount, ref, reason });
  const { refunds } = await operationTrail(parts.pool, operationId);
  const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0n);
  return { entryId: moved.entryId, isNew: moved.isNew, points: formatPoints(moved.amount), refunded: formatPoints(refunded) };
}

export async function setAccountMultiplier({ parts, body, id, user }: Call<z.output<typeof multiplierRequest>>) {
  const { model, multiplier, reason } = body;
  const multiplierPpm = multiplier === null ? null : parseMultiplier(multiplier);
  await changeMultiplier(parts, user().userId, { accountId: id, model, multiplierPpm, reason });
  return done;
}

export async function setAccountLimits({ parts, body, id, user }: Call<z.output<typeof accountLimitsRequest>>) {
  await changeKeyDefault(parts, user().userId, { accountId: id, requestsPerMinute: body.requestsPerMinute });
  return done;
}

export async function suspendAnAccount({ parts, body, id, user }: Call<z.output<typeof suspendRequest>>) {
  const { userId, accountId } = user();
  if (id === accountId) {
    throw new RelayError("invalid_value", { message: "This is your own account: suspending it would lock you out of these pages." });
  }
  await suspendAccount(parts, userId, { accountId: id, reason: body.reason });
  parts.sessions.forget();
  return done;
}

export async function resumeAnAccount({ parts, id, user }: Call) {
  await resumeAccount(parts, user().userId, { accountId: id });
  parts.sessions.forget();
  return done;
}

export async function revokeAnyKey({ parts, id, user }: Call) {
  await revokeApiKey(parts, user().userId, { id, accountId: null });
  return done;
}

export async function endAnySession({ parts, id, user }: Call) {
  await endSession(parts, user().userId, { sessionId: id, userId: null });
  parts.sessions.forget();
  return done;
}
