import type { Database } from "../db/client";
import type { ApiKey } from "../db/generated/client";

/** A key without its hash. Nothing else of a key may leave the server. */
export type StoredKey = Omit<ApiKey, "keyHash">;

/** The columns that are left out when a key is read. */
export const withoutHash = { keyHash: true } as const;

/** The account's keys, newest first. */
export function listApiKeys(database: Database, accountId: string): Promise<StoredKey[]> {
  return database.apiKey.findMany({
    where: { accountId },
    orderBy: { createdAt: "desc" },
    take: 500,
    omit: withoutHash,
  });
}
