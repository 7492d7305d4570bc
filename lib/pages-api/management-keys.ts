import { createManagementKey, revokeManagementKey } from "../commands/management-keys";
import type { managementKeyEndpoints } from "../contract/management-keys";
import { managementKeyViews, showManagementKey } from "../queries/management-keys";
import type { ProgramDeps, UseCases } from "./use-case";

export const managementKeyUseCases: UseCases<typeof managementKeyEndpoints, ProgramDeps> = {
  listManagementKeys: async ({ deps, user }) => ({
    keys: await managementKeyViews(deps, user.accountId),
  }),
  async createManagementKey({ deps, body, user: { accountId, userId } }) {
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt);
    const { key, secret } = await createManagementKey(deps, userId, {
      ...body,
      accountId,
      expiresAt,
    });
    return { key: await showManagementKey(deps, key), secret };
  },
  async revokeManagementKey({ deps, id, body, user: { accountId, userId } }) {
    const key = await revokeManagementKey(deps, userId, { ...body, id, accountId });
    return { key: await showManagementKey(deps, key) };
  },
};
