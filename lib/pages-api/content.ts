/** What requests asked and were answered, where their account keeps it. */
import { findContent, removeContent } from "../content/kept-content";
import type { contentEndpoints } from "../contract/content";
import { RelayError } from "../failures/relay-error";
import { ownOperation } from "../queries/usage";
import { seenBy } from "./seen-by";
import type { ProgramDeps, UseCases } from "./use-case";

export const contentUseCases: UseCases<typeof contentEndpoints, ProgramDeps> = {
  async showContent({ deps, id, user }) {
    const operationId = await ownOperation(deps, user.accountId, id);
    const found = await findContent(deps, { operationId, ...seenBy(user) });
    return { content: found && { ...found, expiresAt: found.expiresAt.toISOString() } };
  },
  async removeContent({ deps, id, user }) {
    const operationId = await ownOperation(deps, user.accountId, id);
    if (!(await removeContent(deps.pool, { operationId, ...seenBy(user) })))
      throw new RelayError("not_found");
    return { removed: true };
  },
};
