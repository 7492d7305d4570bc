import type { Locale } from "@/messages/locales";
import { type MemberRole, memberRoles } from "../contract/states";
import type { Database, Transaction } from "../db/client";
import type { User } from "../db/generated/client";
import { RelayError } from "../failures/relay-error";

export interface UserSession {
  readonly userId: string;
  /** The account that the session shows: the user is a member of it. */
  readonly accountId: string;
  readonly role: MemberRole;
  /** Whether that account is suspended. Absent for programs, and before it is read. */
  readonly isSuspended?: boolean;
  /** The user's own account, which the session shows unless another was chosen. */
  readonly ownAccountId: string;
  readonly email: string;
  readonly name: string | null;
  /** A key that may not read the members' addresses. */
  readonly hidesMembers?: boolean;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  /** A session that started under an earlier version has ended. */
  readonly sessionVersion: number;
}

interface Membership {
  readonly accountId: string;
  readonly role: string;
  readonly account: { readonly status: string };
}

/** Null without a membership. */
function shownAccount(user: User, memberships: readonly Membership[], chosen: string | null) {
  const memberOf = (id: string | null) => memberships.find(({ accountId }) => accountId === id);
  const shown = memberOf(chosen) ?? memberOf(user.accountId);
  const role = memberRoles.find((each) => each === shown?.role);
  if (shown === undefined || role === undefined) return null;
  return { accountId: shown.accountId, role, isSuspended: shown.account.status === "suspended" };
}

/** What a session of the user is before it reads which account it shows: the user's own. */
export function sessionOf(
  user: User,
  shown: Pick<UserSession, "accountId" | "role" | "isSuspended"> = {
    accountId: user.accountId,
    role: "owner",
  },
): UserSession {
  return {
    userId: user.id,
    ...shown,
    ownAccountId: user.accountId,
    email: user.email,
    name: user.name,
    isOperator: user.isOperator,
    hasPassword: user.passwordHash !== null,
    hasSecondFactor: user.hasSecondFactor,
    sessionVersion: user.sessionVersion,
  };
}

interface SessionClaim {
  readonly sessionId: string;
  readonly userId: string;
  readonly sessionVersion: number;
}

const CACHE_MS = 3000;
const CACHED_MAX = 10_000;

/** What a session records of its browser when it starts. */
interface SessionStart extends SessionClaim {
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  /** The language of the mails from now on. */
  readonly locale?: Locale;
  /** Nobody knows this browser yet: its user is told, in the commit of the session. */
  readonly isNewDevice?: boolean;
}

interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/**
 * How long a given password counts as recent, for actions that move points or change who has
 * access.
 */
const PROOF_MS = 15 * 60_000;
const SEEN_EVERY_MS = 5 * 60_000;
const LISTED_MAX = 50;

export interface SessionStore {
  /** Records a session for its user's list. */
  begin(start: SessionStart): Promise<void>;
  /** See `listSessions`. */
  list(user: Pick<UserSession, "userId" | "sessionVersion">): Promise<ListedSession[]>;
  /**
   * The user of an active session, else null. What it knows is at most 3 s old, or read now if
   * `isFresh`. Rejects with `database_unavailable`.
   */
  find(claim: SessionClaim, how?: { readonly isFresh: boolean }): Promise<UserSession | null>;
  /**
   * Shows another account in the session from now on. False where the user is not a member of it, or
   * the session has ended.
   */
  show(session: { sessionId: string; userId: string; accountId: string }): Promise<boolean>;
  /** Ends one session: its token is refused in every process. */
  end(sessionId: string, expiresAt: Date): Promise<void>;
  /** Records that the session's user has just given the password. */
  prove(sessionId: string): Promise<void>;
  /** Whether the user signed in or gave the password in this session within the last 15 minutes. */
  isProved(sessionId: string): Promise<boolean>;
  /** Makes the next `find` of this process read the database. */
  forget(): void;
}

/** The user's active sessions, the one last used first, at most 50. */
export function listSessions(
  database: Database,
  { userId, sessionVersion }: Pick<UserSession, "userId" | "sessionVersion">,
): Promise<ListedSession[]> {
  return database.userSession.findMany({
    where: { userId, sessionVersion, expiresAt: { gt: new Date() } },
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: LISTED_MAX,
    select: { id: true, createdAt: true, lastSeenAt: true, address: true, userAgent: true },
  });
}

/** Ends one session in every process. A session store may accept it for 3 s more. */
export async function endStoredSession(
  database: Pick<Transaction, "endedSession" | "userSession">,
  sessionId: string,
  expiresAt: Date,
): Promise<void> {
  await database.endedSession.deleteMany({ where: { expiresAt: { lt: new Date() } } });
  await database.endedSession.createMany({
    data: [{ id: sessionId, expiresAt }],
    skipDuplicates: true,
  });
  await database.userSession.deleteMany({ where: { id: sessionId } });
}

/** The time is only shown in the list: a failed write ends no session. */
function noteSeen(database: Database, id: string): void {
  const now = Date.now();
  const isDue = { id, lastSeenAt: { lt: new Date(now - SEEN_EVERY_MS) } };
  database.userSession
    .updateMany({ where: isDue, data: { lastSeenAt: new Date(now) } })
    .catch(() => {});
}

async function readSessionUser(
  database: Database,
  claim: SessionClaim,
): Promise<UserSession | null> {
  try {
    const [user, ended] = await Promise.all([
      database.user.findUnique({
        where: { id: claim.userId },
        include: {
          account: { select: { status: true } },
          memberships: {
            select: { accountId: true, role: true, account: { select: { status: true } } },
          },
          sessions: { where: { id: claim.sessionId }, select: { accountId: true } },
        },
      }),
      database.endedSession.findUnique({ where: { id: claim.sessionId } }),
    ]);
    if (user === null || ended !== null) return null;
    noteSeen(database, claim.sessionId);
    const shown = shownAccount(user, user.memberships, user.sessions[0]?.accountId ?? null);
    if (shown === null) return null;
    const session = sessionOf(user, shown);
    // A user whose account is not active is no operator either.
    return { ...session, isOperator: session.isOperator && user.account.status === "active" };
  } catch (cause) {
    throw new RelayError("database_unavailable", { cause, internal: "session look-up failed" });
  }
}

/** What a user is told of a new session, and in which language. Nobody is told of the sign-up's own. */
function toldOfSession(database: Database, start: SessionStart) {
  const { sessionId, userId, locale, isNewDevice, address, userAgent } = start;
  const told = [];
  if (locale !== undefined)
    told.push(database.$executeRaw`
      update "user" set locale = ${locale} where id = ${userId} and locale is distinct from ${locale}`);
  if (isNewDevice === true)
    told.push(database.$executeRaw`
      insert into notification (account_id, user_id, kind, dedupe_key, data)
        select account_id, id, 'device_new', ${`device_new:${sessionId}`}, jsonb_build_object('email', email, 'address', ${address}::text,
                 'user_agent', ${userAgent?.slice(0, 300) ?? null}::text, 'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
          from "user" where id = ${userId} and created_at < now() - interval '10 minutes'
        on conflict (dedupe_key) do nothing`);
  return told;
}

/**
 * A new session shows the account that its user chose last. Who chose none, was invited to an account and
 * never used the own one, is shown the one joined last. `offset 0` has the sums of that account looked
 * up, and not those of all hashed.
 */
const showLast = (database: Database, { sessionId, userId }: SessionClaim) =>
  database.$executeRaw`
    update user_session s set account_id = coalesce(
      (select p.account_id from user_session p join account_member m on m.account_id = p.account_id and m.user_id = p.user_id
        where p.user_id = ${userId} and p.id <> s.id order by p.last_seen_at desc limit 1),
      (select m.account_id from account_member m join "user" u on u.id = m.user_id
        where u.id = ${userId} and m.account_id <> u.account_id
          and not exists (select from api_key k where k.account_id = u.account_id)
          and not exists (select from usage_of_day d where d.account_id = u.account_id offset 0)
          and not exists (select from account_member o where o.account_id = u.account_id and o.user_id <> u.id)
        order by m.created_at desc limit 1))
     where s.id = ${sessionId}`;

export function createSessionStore(database: Database): SessionStore {
  const cache = new Map<string, { until: number; user: UserSession | null }>();
  return {
    async find(claim, how) {
      const key = `${claim.sessionId} ${claim.userId}`;
      let known = cache.get(key);
      if (known === undefined || known.until < Date.now() || how?.isFresh === true) {
        const until = Date.now() + CACHE_MS;
        known = { until, user: await readSessionUser(database, claim) };
        if (cache.size >= CACHED_MAX) cache.clear();
        cache.set(key, known);
      }
      return known.user?.sessionVersion === claim.sessionVersion ? known.user : null;
    },
    async begin(start) {
      const { sessionId, userId, sessionVersion, expiresAt, address, userAgent } = start;
      await database.userSession.deleteMany({ where: { expiresAt: { lt: new Date() } } });
      const session = database.userSession.create({
        data: {
          id: sessionId,
          userId,
          sessionVersion,
          expiresAt,
          address: address?.slice(0, 100) ?? null,
          userAgent: userAgent?.slice(0, 300) ?? null,
        },
      });
      await database.$transaction([
        session,
        showLast(database, start),
        ...toldOfSession(database, start),
      ]);
    },
    list: (user) => listSessions(database, user),
    async show({ sessionId, userId, accountId }) {
      const { count } = await database.userSession.updateMany({
        where: { id: sessionId, userId, user: { memberships: { some: { accountId } } } },
        data: { accountId },
      });
      cache.clear();
      return count === 1;
    },
    async end(sessionId, expiresAt) {
      await endStoredSession(database, sessionId, expiresAt);
      cache.clear();
    },
    async prove(sessionId) {
      await database.userSession.updateMany({
        where: { id: sessionId },
        data: { provedAt: new Date() },
      });
    },
    async isProved(sessionId) {
      const now = Date.now();
      const where = {
        id: sessionId,
        provedAt: { gt: new Date(now - PROOF_MS) },
        expiresAt: { gt: new Date(now) },
      };
      return (await database.userSession.count({ where })) === 1;
    },
    forget: () => cache.clear(),
  };
}
