/**
 * Finds management keys. They are not cached: they are used seldom, and a revoked one ends at once.
 */
import type pg from "pg";
import { MANAGEMENT_REQUESTS_PER_MINUTE } from "../contract/limits";
import { type ManagementScope, managementScopes } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { KeyLookups } from "./key-lookups";
import { hashKeyText, isManagementKeyText } from "./key-text";
import type { ManagementKeyPrincipal } from "./principal";
import { addressGroup } from "./throttle";

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly key_hash: string;
  readonly scopes: string[];
  readonly refusal: "api_key_revoked" | "api_key_expired" | "account_suspended" | null;
}

/** The last use is written once a minute, and never waits for another request's. */
const byHash = `
  with used as (
    update management_key set last_used_at = now() where id in (
      select id from management_key where key_hash = any($1::bytea[]) and revoked_at is null and (expires_at is null or expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute') for no key update skip locked))
  select k.id, k.account_id, encode(k.key_hash, 'base64') as key_hash, k.scopes,
    case when k.revoked_at is not null then 'api_key_revoked' when k.expires_at <= now() then 'api_key_expired'
         when a.status <> 'active' then 'account_suspended' end as refusal
  from management_key k join account a on a.id = k.account_id where k.key_hash = any($1::bytea[])`;

async function readRows(pool: pg.Pool, hashes: string[]): Promise<Map<string, Row>> {
  try {
    const values = [hashes.map((hash) => Buffer.from(hash, "base64"))];
    const { rows } = await pool.query<Row>({ name: "management-key", text: byHash, values });
    return new Map(rows.map((row) => [row.key_hash, row]));
  } catch (cause) {
    throw new RelayError("database_unavailable", { cause, internal: "key look-up failed" });
  }
}

const isScope = (word: string): word is ManagementScope =>
  managementScopes.some((scope) => scope === word);

/** Nothing that a management key may call has a price. */
function noMultiplier(): never {
  throw new RelayError("key_kind_not_allowed");
}

function principalOf({ id, account_id: accountId, scopes }: Row): ManagementKeyPrincipal {
  return {
    kind: "managementKey",
    accountId,
    apiKeyId: null,
    managementKeyId: id,
    scopes: scopes.filter(isScope),
    rateSubject: id,
    requestsPerMinute: MANAGEMENT_REQUESTS_PER_MINUTE,
    models: [],
    multiplierPpm: noMultiplier,
    sees: () => true,
  };
}

export function createManagementKeys(pool: pg.Pool) {
  const lookups = new KeyLookups<Row>((hashes) => readRows(pool, hashes));
  return {
    /** Rejects as `KeyAuthenticator.identify` does. */
    async identify(text: string, source?: { readonly address?: string }) {
      if (!isManagementKeyText(text)) throw new RelayError("invalid_api_key");
      const row = await lookups.lookUp(hashKeyText(text), addressGroup(source?.address));
      if (row === null) throw new RelayError("invalid_api_key");
      if (row.refusal !== null) throw new RelayError(row.refusal);
      return principalOf(row);
    },
  };
}
