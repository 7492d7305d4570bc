import type { z } from "zod";
import type { UserSession } from "../accounts/session-store";
import { findApiKey } from "../accounts/stored-keys";
import { changeApiKey, createApiKey, resumeApiKey, revokeApiKey } from "../commands/api-keys";
import type { changeKeyRequest, keyEndpoints } from "../contract/api-keys";
import { may } from "../contract/member-roles";
import { RelayError } from "../errors";
import { isMakerOf, listOwnKeys, showKey } from "../queries/api-keys";
import { optionalPoints } from "../requested-points";
import type { PagesDeps } from "./pages-deps";
import type { UseCases } from "./use-case";

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

/** Rejects with `role_not_allowed` for the key of another member, unless the role may change all. */
async function assertMayChange(
  deps: PagesDeps,
  { role, accountId, userId }: UserSession,
  id: string,
): Promise<void> {
  if (may(role, "changeEveryKey") || (await isMakerOf(deps, { id, accountId, userId }))) return;
  if ((await findApiKey(deps.database, accountId, id)) === null)
    throw new RelayError("not_found", { message: "There is no such key." });
  throw new RelayError("role_not_allowed");
}

export const keyUseCases: UseCases<typeof keyEndpoints> = {
  listKeys: ({ deps, user }) => listOwnKeys(deps, user.accountId),
  async createKey({ deps, body, user: { accountId, userId } }) {
    const wanted = { ...limitsOf(body), name: body.name, accountId };
    const { key, secret } = await createApiKey(deps, userId, wanted);
    return { key: await showKey(deps, key), secret };
  },
  async changeKey({ deps, body, id, user }) {
    await assertMayChange(deps, user, id);
    const { accountId, userId } = user;
    const change = { ...limitsOf(body), name: body.name, id, accountId };
    return { key: await showKey(deps, await changeApiKey(deps, userId, change)) };
  },
  async revokeKey({ deps, id, user }) {
    await assertMayChange(deps, user, id);
    const { accountId, userId } = user;
    return { key: await showKey(deps, await revokeApiKey(deps, userId, { id, accountId })) };
  },
  async resumeKey({ deps, id, user }) {
    await assertMayChange(deps, user, id);
    const { accountId, userId } = user;
    return { key: await showKey(deps, await resumeApiKey(deps, userId, { id, accountId })) };
  },
};
