import { PASSKEYS_MAX } from "../contract/limits";
import type { QueryDeps } from "./query-deps";

type Deps = Pick<QueryDeps, "database">;

/** A user's passkeys, the oldest first. */
export const listPasskeys = ({ database }: Deps, userId: string) =>
  database.passkey.findMany({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: PASSKEYS_MAX,
  });

/** The further ways in which a user proves who he is. */
export async function showSecondFactor(deps: Deps, userId: string) {
  const { database } = deps;
  const [apps, recoveryCodesLeft, passkeys] = await Promise.all([
    database.userTotp.count({ where: { userId, confirmedAt: { not: null } } }),
    database.recoveryCode.count({ where: { userId } }),
    listPasskeys(deps, userId),
  ]);
  return {
    hasTotp: apps > 0,
    recoveryCodesLeft,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
  };
}
