import type pg from "pg";
import { MANAGEMENT_REQUESTS_PER_MINUTE } from "../contract/limits";
import { type ManagementScope, managementScopes } from "../contract/states";
import { isManagementKeyText } from "./key-text";
import type { ManagementKeyPrincipal } from "./principal";
import { createProgramKeys, type FoundKey, programPrincipal } from "./program-keys";

const isScope = (word: string): word is ManagementScope =>
  managementScopes.some((scope) => scope === word);

export const createManagementKeys = (pool: pg.Pool) =>
  createProgramKeys(pool, {
    table: "management_key",
    account: "join account a on a.id = k.account_id",
    isRevoked: "k.revoked_at is not null",
    isKeyText: isManagementKeyText,
    principalOf: (row: FoundKey): ManagementKeyPrincipal => ({
      ...programPrincipal(row),
      kind: "managementKey",
      managementKeyId: row.id,
      scopes: row.scopes.filter(isScope),
      requestsPerMinute: MANAGEMENT_REQUESTS_PER_MINUTE,
    }),
  });
