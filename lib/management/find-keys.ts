import { findApiKey, listApiKeys, type StoredKey } from "../accounts/stored-keys";
import type { CommandDeps } from "../commands/command-deps";
import { managedKeyQuery } from "../contract/managed-key";
import type { Database } from "../db/client";
import { RelayError } from "../errors";
import type { Call } from "../http/serve";
import { validateQuery } from "../http/validate";
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
  const page = await keyViewsOf(deps, accountId, found.slice(0, size));
  return {
    object: "list" as const,
    data: page.map(managedKeyOf),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: found.length > size,
  };
}
