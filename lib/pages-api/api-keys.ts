import type { z } from "zod";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { changeKeyRequest, keyEndpoints } from "../contract/api-keys";
import { listOwnKeys, showKey } from "../queries/api-keys";
import { requestedPoints } from "../requested-points";
import type { UseCases } from "./use-case";

type GivenLimits = Omit<z.output<typeof changeKeyRequest>, "name">;

const limitsOf = ({
  requestsPerMinute,
  budget,
  models,
  expiresAt,
  hourlySpendMax,
  allowedAddresses,
}: GivenLimits) => ({
  requestsPerMinute,
  models,
  allowedAddresses,
  budget: budget == null ? budget : requestedPoints("budget", budget),
  hourlySpendMax:
    hourlySpendMax == null ? hourlySpendMax : requestedPoints("hourlySpendMax", hourlySpendMax),
  expiresAt: expiresAt == null ? expiresAt : new Date(expiresAt),
});

export const keyUseCases: UseCases<typeof keyEndpoints> = {
  listKeys: ({ deps, user }) => listOwnKeys(deps, user.accountId),
  async createKey({ deps, body, user: { accountId, userId } }) {
    const wanted = { ...limitsOf(body), name: body.name, accountId };
    const { key, secret } = await createApiKey(deps, userId, wanted);
    return { key: await showKey(deps, key), secret };
  },
  async changeKey({ deps, body, id, user: { accountId, userId } }) {
    const change = { ...limitsOf(body), name: body.name, id, accountId };
    return { key: await showKey(deps, await changeApiKey(deps, userId, change)) };
  },
  async revokeKey({ deps, id, user: { accountId, userId } }) {
    return { key: await showKey(deps, await revokeApiKey(deps, userId, { id, accountId })) };
  },
  async resumeKey({ deps, id, user: { accountId, userId } }) {
    return { key: await showKey(deps, await resumeApiKey(deps, userId, { id, accountId })) };
  },
};
