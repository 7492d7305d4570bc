import { findApiKey, listApiKeys, type StoredKey } from "../accounts/stored-keys";
import type { CommandDeps } from "../commands/command-deps";
import { type ManagedKeyView, managedKeyQuery } from "../contract/managed-key";
import type { Database } from "../db/client";
import { RelayError } from "../failures/relay-error";
import type { Call } from "../http/serve";
import { validateQuery } from "../http/validate";
import { keyLimitStates } from "../ledger/core/key-limits";
import { keyViewsOf } from "../queries/api-keys";
import { managedKeyOf } from "./key-view";

export type ManagementDeps = Pick<CommandDeps, "database" | "pool" | "ledger">;

const PAGE_DEFAULT = 20;

/** Throws `not_found`, also for another account's key. */
export async function ownKey(
  database: Database,
  accountId: string,
  id: string,
): Promise<StoredKey> {
  const key = await findApiKey(database, accountId, id);
  if (key !== null) return key;
  throw new RelayError("not_found", { message: "There is no such key." });
}

/** Keys of the account in the form of the API. */
async function shownKeys(deps: Pick<ManagementDeps, "pool">, accountId: string, keys: StoredKey[]) {
  const [views, limits] = await Promise.all([
    keyViewsOf(deps, accountId, keys),
    keyLimitStates(deps.pool, accountId),
  ]);
  return views.map((view) => managedKeyOf(view, limits));
}

/** One key in the form of the API. */
export async function shownKey(
  deps: Pick<ManagementDeps, "pool">,
  key: StoredKey,
): Promise<ManagedKeyView> {
  const [shown] = await shownKeys(deps, key.accountId, [key]);
  if (shown === undefined) throw new Error("a key was not shown");
  return shown;
}

/** A page of the account's keys. */
export async function ownKeys(
  deps: Pick<ManagementDeps, "database" | "pool">,
  { principal: { accountId }, incoming }: Call,
) {
  const { after, limit } = validateQuery(managedKeyQuery, incoming.query);
  const size = limit === undefined ? PAGE_DEFAULT : Number(limit);
  if (after !== undefined && (await findApiKey(deps.database, accountId, after)) === null)
    throw new RelayError("invalid_value", {
      param: "after",
      message: `\`after\` is ${JSON.stringify(after)}, which is the id of none of your keys.`,
    });
  const found = await listApiKeys(deps.database, accountId, { after, count: size + 1 });
  const page = await shownKeys(deps, accountId, found.slice(0, size));
  return {
    object: "list" as const,
    data: page,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: found.length > size,
  };
}
