import type { z } from "zod";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { changeKeyRequest, keyEndpoints } from "../contract/api-keys";
import { optionalPoints } from "../money/requested-points";
import { listOwnKeys, showKey } from "../queries/api-keys";
import type { ProgramDeps, UseCases } from "./use-case";

type GivenLimits = Omit<z.output<typeof changeKeyRequest>, "name">;

function limitsOf(given: GivenLimits) {
  const { expiresAt } = given;
  return {
    ...given,
    budget: optionalPoints("budget", given.budget),
    hourlySpendMax: optionalPoints("hourlySpendMax", given.hourlySpendMax),
    budgetDay: optionalPoints("budgetDay", given.budgetDay),
    budgetWeek: optionalPoints("budgetWeek", given.budgetWeek),
    budgetMonth: optionalPoints("budgetMonth", given.budgetMonth),
    expiresAt: expiresAt == null ? expiresAt : new Date(expiresAt),
  };
}

export const keyUseCases: UseCases<typeof keyEndpoints, ProgramDeps> = {
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
