import { listManagementKeys, type StoredManagementKey } from "../accounts/stored-keys";
import type { ManagementKeyView } from "../contract/management-keys";
import { managementScopes } from "../contract/states";
import type { QueryDeps } from "./query-deps";

function statusOf({ revokedAt, expiresAt }: StoredManagementKey): ManagementKeyView["status"] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}

function managementKeyView(
  key: StoredManagementKey,
  made: ReadonlyMap<string, number>,
): ManagementKeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    status: statusOf(key),
    scopes: managementScopes.filter((scope) => key.scopes.includes(scope)),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    made: made.get(key.id) ?? 0,
  };
}

/** What management keys made in an account that is in use. */
const madeByKeys = `
  select made.by as id, count(*)::int as made from (
    select a.actor as by from operator_action a join api_key k on k.id = a.subject
     where a.actor = any($2) and a.action = 'key.create' and k.account_id = $1 and k.revoked_at is null
    union all
    select webhook_wished_by(w.id, w.url) from webhook_endpoint w where w.account_id = $1 and w.paused_at is null
  ) made where made.by = any($2) group by made.by`;

async function madeBy(
  { pool }: Pick<QueryDeps, "pool">,
  accountId: string,
  keys: readonly StoredManagementKey[],
): Promise<ReadonlyMap<string, number>> {
  const values = [accountId, keys.map(({ id }) => id)];
  const { rows } = await pool.query<{ id: string; made: number }>(madeByKeys, values);
  return new Map(rows.map(({ id, made }) => [id, made]));
}

export async function showManagementKey(
  deps: Pick<QueryDeps, "pool">,
  key: StoredManagementKey,
): Promise<ManagementKeyView> {
  return managementKeyView(key, await madeBy(deps, key.accountId, [key]));
}

/** The account's management keys, newest first. */
export async function managementKeyViews(
  deps: Pick<QueryDeps, "database" | "pool">,
  accountId: string,
): Promise<ManagementKeyView[]> {
  const keys = await listManagementKeys(deps.database, accountId);
  const made = await madeBy(deps, accountId, keys);
  return keys.map((key) => managementKeyView(key, made));
}
