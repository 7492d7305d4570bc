import type { Database } from "../db/client";
import type { User } from "../db/generated/client";
import { RelayError } from "../errors";
import { recordAction } from "./actions";

/** A signed-in user as sessions know him. */
export interface UserSession {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string | null;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
  /** A session begun under an earlier version has ended. */
  readonly sessionVersion: number;
}

export function sessionOf(user: User): UserSession {
  return {
    userId: user.id,
    accountId: user.accountId,
    email: user.email,
    name: user.name,
    isOperator: user.isOperator,
    hasPassword: user.passwordHash !== null,
    sessionVersion: user.sessionVersion,
  };
}

export interface SessionClaim {
  readonly sessionId: string;
  readonly userId: string;
  readonly sessionVersion: number;
}

const CACHE_MS = 3000;
const CACHED_MAX = 10_000;

export interface SessionBook {
  /** The user of a session that goes on, else null; what it knows is at most 3 s old. Rejects with `database_unavailable`. */
  find(claim: SessionClaim): Promise<UserSession | null>;
  /** Ends one session; the token cannot be used again in this or any process. */
  end(sessionId: string, expiresAt: Date): Promise<void>;
  /** Ends all sessions of a user. */
  endAll(userId: string): Promise<void>;
  /** Makes the next `find` of this process read again. */
  forget(): void;
}

export function createSessionBook(database: Database): SessionBook {
  const cache = new Map<string, { until: number; user: UserSession | null }>();

  async function read(claim: SessionClaim): Promise<UserSession | null> {
    try {
      const [user, ended] = await Promise.all([
        database.user.findUnique({ where: { id: claim.userId } }),
        database.endedSession.findUnique({ where: { id: claim.sessionId } }),
      ]);
      return user === null || ended !== null ? null : sessionOf(user);
    } catch (cause) {
      throw new RelayError("database_unavailable", { cause, internal: "session look-up failed" });
    }
  }

  return {
    async find(claim) {
      const key = `${claim.sessionId} ${claim.userId}`;
      let known = cache.get(key);
      if (known === undefined || known.until < Date.now()) {
        const until = Date.now() + CACHE_MS;
        known = { until, user: await read(claim) };
        if (cache.size >= CACHED_MAX) cache.clear();
        cache.set(key, known);
      }
      return known.user?.sessionVersion === claim.sessionVersion ? known.user : null;
    },
    async end(sessionId, expiresAt) {
      await database.endedSession.deleteMany({ where: { expiresAt: { lt: new Date() } } });
      await database.endedSession.createMany({ data: [{ id: sessionId, expiresAt }], skipDuplicates: true });
      cache.clear();
    },
    async endAll(userId) {
      await database.user.update({ where: { id: userId }, data: { sessionVersion: { increment: 1 } } });
      await recordAction(database, { actor: userId, action: "sessions.end_all", subject: userId });
      cache.clear();
    },
    forget: () => cache.clear(),
  };
}
