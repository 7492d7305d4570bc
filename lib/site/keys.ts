import type { z } from "zod";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { changeKeyRequest, createKeyRequest } from "../contract/api-keys";
import { showKey } from "../queries/api-keys";
import { requestedPoints } from "../requested-points";
import type { Call } from "./call";

type GivenLimits = Omit<z.output<typeof changeKeyRequest>, "name">;

const limitsOf = ({ requestsPerMinute, budget, models, expiresAt, hourlySpendMax }: GivenLimits) => ({
  requestsPerMinute,
  models,
  budget: budget == null ? budget : requestedPoints("budget", budget),
  hourlySpendMax: hourlySpendMax == null ? hourlySpendMax : requestedPoints("hourlySpendMax", hourlySpendMax),
  expiresAt: expiresAt == null ? expiresAt : new Date(expiresAt),
});

export async function createOwnKey(call: Call<z.output<typeof createKeyRequest>>) {
  const { parts, body } = call;
  const { accountId, userId } = call.user();
  const { key, secret } = await createApiKey(parts, userId, { ...limitsOf(body), name: body.name, accountId });
  return { key: await showKey(call.parts, key), secret };
}

export async function changeOwnKey(call: Call<z.output<typeof changeKeyRequest>>) {
  const { parts, body, id } = call;
  const { accountId, userId } = call.user();
  const key = await changeApiKey(parts, userId, { ...limitsOf(body), name: body.name, id, accountId });
  return { key: await showKey(call.parts, key) };
}

export async function revokeOwnKey(call: Call) {
  const { accountId, userId } = call.user();
  const key = await revokeApiKey(call.parts, userId, { id: call.id, accountId });
  return { key: await showKey(call.parts, key) };
}

/** A paused key goes on. */
export async function resumeOwnKey(call: Call) {
  const { accountId, userId } = call.user();
  const key = await resumeApiKey(call.parts, userId, { id: call.id, accountId });
  return { key: await showKey(call.parts, key) };
}
