/** What a user did in the playground, kept for this user. */
import { findSession, keepSession, listSessions, removeSession } from "../content/studio-sessions";
import type { studioSessionEndpoints } from "../contract/studio-sessions";
import { RelayError } from "../failures/relay-error";
import type { UseCases } from "./use-case";

/** As pages make them. */
const ID = /^[0-9a-z-]{16,64}$/i;

export const studioSessionUseCases: UseCases<typeof studioSessionEndpoints> = {
  async listStudioSessions({ deps, query, user }) {
    const sessions = await listSessions(deps, user, query);
    return {
      sessions: sessions.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() })),
    };
  },
  async showStudioSession({ deps, id, user }) {
    const found = await findSession(deps, user, id);
    if (found === null) throw new RelayError("not_found");
    return { ...found, updatedAt: found.updatedAt.toISOString() };
  },
  async keepStudioSession({ deps, id, body, user }) {
    if (!ID.test(id))
      throw new RelayError("invalid_value", {
        param: "id",
        message: "The id of a session must be 16 to 64 letters, digits and hyphens.",
      });
    return { revision: await keepSession(deps, user, { id, ...body }) };
  },
  async removeStudioSession({ deps, id, user }) {
    if (!(await removeSession(deps.pool, user, id))) throw new RelayError("not_found");
    return { removed: true };
  },
};
