import { createOperatorKey, revokeOperatorKey } from "../commands/operator-keys";
import type { operatorKeyEndpoints } from "../contract/operator-keys";
import { operatorKeyView, operatorKeyViews } from "../queries/operator-keys";
import type { ProgramDeps, UseCases } from "./use-case";

export const operatorKeyUseCases: UseCases<typeof operatorKeyEndpoints, ProgramDeps> = {
  listOperatorKeys: async ({ deps }) => ({ keys: await operatorKeyViews(deps) }),
  async createOperatorKey({ deps, body, user: { userId } }) {
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt);
    const { key, secret } = await createOperatorKey(deps, userId, { ...body, userId, expiresAt });
    return { key: operatorKeyView(key), secret };
  },
  async revokeOperatorKey({ deps, id, user: { userId } }) {
    return { key: operatorKeyView(await revokeOperatorKey(deps, userId, { id })) };
  },
};
