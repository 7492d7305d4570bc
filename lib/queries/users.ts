import type { OtherWays } from "../accounts/account-mails";
import { cleanEmail } from "../accounts/create-account";
import { type IdKind, isIdOf } from "../crypto/ids";
import type { User } from "../db/generated/client";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { likeText } from "./find-accounts";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "database">;

/**
 * The names of actors for an operator: a user's email address, an operator key's name; `cli` and
 * `system` as they are.
 */
export async function actorNames(
  { database }: Deps,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  const ids = (kind: IdKind) => [...new Set(actors)].filter((actor) => isIdOf(kind, actor));
  const [userIds, keyIds] = [ids("user"), ids("operatorKey")];
  const users =
    userIds.length === 0
      ? []
      : await database.user.findMany({
          where: { id: { in: userIds } },
          select: { id: true, email: true },
        });
  const keys =
    keyIds.length === 0
      ? []
      : await database.operatorKey.findMany({
          where: { id: { in: keyIds } },
          select: { id: true, name: true },
        });
  const names = new Map([
    ...users.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ]);
  return (actor) => names.get(actor) ?? actor;
}

/**
 * The user with an email address, with the account, its multipliers and its group. Rejects with `not_found`.
 */
export async function findUserByEmail({ database }: Deps, email: string) {
  const user = await database.user.findUnique({
    where: { email: cleanEmail(email) },
    include: { account: { include: { modelMultipliers: true, group: true } } },
  });
  if (user === null)
    throw new RelayError("not_found", { message: `There is no account for ${cleanEmail(email)}.` });
  return user;
}

const providerNames: Readonly<Record<string, string>> = {
  github: "GitHub",
  google: "Google",
  oidc: "SSO",
};

/** The ways in which a user without a password signs in, in English. */
async function signInMethodsOf(
  { database }: Deps,
  { id: userId, emailVerifiedAt }: Pick<User, "id" | "emailVerifiedAt">,
): Promise<OtherWays> {
  const identities = await database.userIdentity.findMany({ where: { userId }, take: 20 });
  const providers = new Set(identities.map(({ provider }) => providerNames[provider] ?? provider));
  // A link opens only an account whose address was proved.
  return { providers: [...providers], hasLink: emailVerifiedAt !== null };
}

const OPERATORS_MAX = 1000;

/** All operators, the first one first. */
export function listOperators({ database }: Deps): Promise<User[]> {
  return database.user.findMany({
    where: { isOperator: true },
    orderBy: { createdAt: "asc" },
    take: OPERATORS_MAX,
  });
}

export interface FoundUser {
  readonly accountId: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** The status of the account. */
  readonly status: "active" | "suspended" | "closed";
  readonly createdAt: Date;
}

/** Users whose email contains `emailPart`, newest first. */
export async function findUsers(
  pool: Reader,
  { emailPart, limit }: { emailPart: string; limit: number },
): Promise<FoundUser[]> {
  const { rows } = await pool.query<FoundUser>(
    `select u.account_id as "accountId", u.email, u.is_operator as "isOperator", a.status, u.created_at as "createdAt"
       from "user" u join account a on a.id = u.account_id
      where u.email like $1 order by u.created_at desc limit $2`,
    [`%${likeText(emailPart.toLowerCase())}%`, limit],
  );
  return rows;
}

/** How a user signs in: `otherWays` is null for one with a password. Null for an unknown address. */
export async function findSignIn(
  { database }: Deps,
  email: string,
): Promise<{ userId: string; otherWays: OtherWays | null } | null> {
  const user = await database.user.findUnique({ where: { email } });
  if (user === null) return null;
  const hasPassword = user.passwordHash !== null;
  return {
    userId: user.id,
    otherWays: hasPassword ? null : await signInMethodsOf({ database }, user),
  };
}
