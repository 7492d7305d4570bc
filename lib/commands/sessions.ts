/** Ends sessions. The calling process drops its cached sessions with `SessionStore.forget`. */
import { recordAction } from "../accounts/actions";
import { endStoredSession } from "../accounts/session-store";
import { inDatabaseTransaction } from "../db/transaction";
import { RelayError } from "../failures/relay-error";
import type { CommandDeps } from "./command-deps";

type Deps = Pick<CommandDeps, "database">;

interface NamedSession {
  readonly sessionId: string;
  /** Null when the caller is an operator, who may end any user's session. */
  readonly userId: string | null;
}

/** Ends one session in every process. Rejects with `not_found`, also for another user's session. */
export function endSession(
  { database }: Deps,
  actor: string,
  { sessionId, userId }: NamedSession,
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    const where = { id: sessionId, ...(userId === null ? {} : { userId }) };
    const session = await transaction.userSession.findFirst({ where });
    if (session === null) throw new RelayError("not_found");
    await endStoredSession(transaction, sessionId, session.expiresAt);
    await recordAction(transaction, actor, "sessions.end_one", session.userId);
  });
}

/** Ends all sessions of a user. */
export function endAllSessions(
  { database }: Deps,
  actor: string,
  { userId }: { userId: string },
): Promise<void> {
  return inDatabaseTransaction(database, async (transaction) => {
    await transaction.user.update({
      where: { id: userId },
      data: { sessionVersion: { increment: 1 } },
    });
    await recordAction(transaction, actor, "sessions.end_all", userId);
  });
}
