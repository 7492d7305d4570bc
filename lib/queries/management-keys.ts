import { listManagementKeys, type StoredManagementKey } from "../accounts/stored-keys";
import type { ManagementKeyView } from "../contract/management-keys";
import { managementScopes } from "../contract/states";
import type { QueryDeps } from "./query-deps";

function statusOf({ revokedAt, expiresAt }: StoredManagementKey): ManagementKeyView["status"] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}

export function managementKeyView(key: StoredManagementKey): ManagementKeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    status: statusOf(key),
    scopes: managementScopes.filter((scope) => key.scopes.includes(scope)),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

/** The account's management keys, newest first. */
export async function managementKeyViews(
  { database }: Pick<QueryDeps, "database">,
  accountId: string,
): Promise<ManagementKeyView[]> {
  return (await listManagementKeys(database, accountId)).map(managementKeyView);
}
