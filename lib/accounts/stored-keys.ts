import type { Database } from "../db/client";
import type { ApiKey, ManagementKey, OperatorKey } from "../db/generated/client";

/** A key without its hash. Nothing else of a key may leave the server. */
export type StoredKey = Omit<ApiKey, "keyHash">;

export type StoredManagementKey = Omit<ManagementKey, "keyHash">;

export type StoredOperatorKey = Omit<OperatorKey, "keyHash"> & { readonly user: { email: string } };

/** The columns that are left out when a key is read. */
export const withoutHash = { keyHash: true } as const;

/** The most keys in one list, of which most are revoked. */
const LISTED_MAX = 500;

/** The account's keys, newest first; from the one after `after`. */
export function listApiKeys(
  database: Database,
  accountId: string,
  { after, count = LISTED_MAX }: { after?: string | undefined; count?: number } = {},
): Promise<StoredKey[]> {
  return database.apiKey.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    ...(after === undefined ? {} : { cursor: { id: after }, skip: 1 }),
    take: count,
    omit: withoutHash,
  });
}

/** Null when the account has no such key. */
export const findApiKey = (
  database: Database,
  accountId: string,
  id: string,
): Promise<StoredKey | null> =>
  database.apiKey.findFirst({ where: { id, accountId }, omit: withoutHash });

/** The account's management keys, newest first. */
export const listManagementKeys = (
  database: Database,
  accountId: string,
): Promise<StoredManagementKey[]> =>
  database.managementKey.findMany({
    where: { accountId },
    orderBy: { createdAt: "desc" },
    take: LISTED_MAX,
    omit: withoutHash,
  });

export const operatorKeyParts = {
  omit: withoutHash,
  include: { user: { select: { email: true } } },
} as const;

/** The keys of all operators, newest first. */
export const listOperatorKeys = (database: Database): Promise<StoredOperatorKey[]> =>
  database.operatorKey.findMany({
    orderBy: { createdAt: "desc" },
    take: LISTED_MAX,
    ...operatorKeyParts,
  });
