import { listOperatorKeys, type StoredOperatorKey } from "../accounts/stored-keys";
import type { OperatorKeyView } from "../contract/operator-keys";
import { operatorScopes } from "../contract/states";
import type { QueryDeps } from "./query-deps";

function statusOf({ revokedAt, expiresAt }: StoredOperatorKey): OperatorKeyView["status"] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}

export function operatorKeyView(key: StoredOperatorKey): OperatorKeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    status: statusOf(key),
    scopes: operatorScopes.filter((scope) => key.scopes.includes(scope)),
    madeBy: key.user.email,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

/** The keys of all operators, newest first. */
export async function operatorKeyViews({
  database,
}: Pick<QueryDeps, "database">): Promise<OperatorKeyView[]> {
  return (await listOperatorKeys(database)).map(operatorKeyView);
}
