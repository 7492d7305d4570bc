import type { Database } from "../db/client";
import type { ApiKey } from "../db/generated/client";

/** A key without its hash: what may leave the server. */
export type StoredKey = Omit<ApiKey, "keyHash">;

/** What is left out of a key as it is read. */
export const withoutHash = { keyHash: true } as const;

/** The account's keys, newest first. */
export function listApiKeys(database: Database, accountId: string): Promise<StoredKey[]> {
  return database.apiKey.findMany({ where: { accountId }, orderBy: { createdAt: "desc" }, take: 500, omit: withoutHash });
}
