/**
 * Finds the keys of programs that order nothing. They are not cached: they are used seldom, and one that
 * is revoked ends at once in every process.
 */
import type pg from "pg";
import { RelayError } from "../failures/relay-error";
import { KeyLookups } from "./key-lookups";
import { hashKeyText } from "./key-text";
import { addressGroup } from "./throttle";

export interface FoundKey {
  readonly id: string;
  readonly account_id: string;
  readonly key_hash: string;
  readonly scopes: string[];
  readonly refusal: "api_key_revoked" | "api_key_expired" | "account_suspended" | null;
}

export interface ProgramKind<Row extends FoundKey, Principal> {
  readonly table: "management_key" | "operator_key";
  /** SQL: joins the key `k` with its account `a`. */
  readonly account: string;
  /** SQL: further columns. */
  readonly columns?: string;
  /** SQL: whether the key may be used no more. */
  readonly isRevoked: string;
  isKeyText(text: string): boolean;
  principalOf(row: Row): Principal;
  /** Throws where the key may not be used from the address. */
  assertPlace?(address: string | undefined): void;
}

/** The last use is written once a minute, and never waits for another request's. */
const byHash = ({ table, account, columns = "", isRevoked }: ProgramKind<never, unknown>) => `
  with used as (
    update ${table} set last_used_at = now() where id in (
      select id from ${table} where key_hash = any($1::bytea[]) and revoked_at is null and (expires_at is null or expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute') for no key update skip locked))
  select k.id, a.id as account_id, encode(k.key_hash, 'base64') as key_hash, k.scopes${columns},
    case when ${isRevoked} then 'api_key_revoked' when k.expires_at <= now() then 'api_key_expired'
         when a.status <> 'active' then 'account_suspended' end as refusal
  from ${table} k ${account} where k.key_hash = any($1::bytea[])`;

/** Nothing that such a key may call has a price. */
function noMultiplier(): never {
  throw new RelayError("key_kind_not_allowed");
}

/** What all of their principals have. */
export const programPrincipal = ({ id, account_id: accountId }: FoundKey) => ({
  accountId,
  apiKeyId: null,
  rateSubject: id,
  models: [],
  multiplierPpm: noMultiplier,
  sees: () => true,
});

export function createProgramKeys<Row extends FoundKey, Principal>(
  pool: pg.Pool,
  kind: ProgramKind<Row, Principal>,
) {
  const query = { name: kind.table, text: byHash(kind) };
  const lookups = new KeyLookups<Row>(async (hashes) => {
    try {
      const values = [hashes.map((hash) => Buffer.from(hash, "base64"))];
      const { rows } = await pool.query<Row>({ ...query, values });
      return new Map(rows.map((row) => [row.key_hash, row]));
    } catch (cause) {
      throw new RelayError("database_unavailable", { cause, internal: "key look-up failed" });
    }
  });
  return {
    /** Rejects as `KeyAuthenticator.identify` does. */
    async identify(text: string, address?: string): Promise<Principal> {
      if (!kind.isKeyText(text)) throw new RelayError("invalid_api_key");
      const row = await lookups.lookUp(hashKeyText(text), addressGroup(address));
      if (row === null) throw new RelayError("invalid_api_key");
      if (row.refusal !== null) throw new RelayError(row.refusal);
      kind.assertPlace?.(address);
      return kind.principalOf(row);
    },
  };
}
