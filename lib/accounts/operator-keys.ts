/**
 * Finds operator keys. They are not cached: a key that was revoked, or whose maker is no operator
 * any more, ends at once in every process.
 */
import type pg from "pg";
import { OPERATOR_REQUESTS_PER_MINUTE } from "../contract/limits";
import { type OperatorScope, operatorScopes } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { KeyLookups } from "./key-lookups";
import { hashKeyText, isOperatorKeyText } from "./key-text";
import type { OperatorKeyPrincipal } from "./principal";
import { addressGroup } from "./throttle";

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly email: string;
  readonly key_hash: string;
  readonly scopes: string[];
  readonly refusal: "api_key_revoked" | "api_key_expired" | "account_suspended" | null;
}

/** The last use is written once a minute, and never waits for another request's. */
const byHash = `
  with used as (
    update operator_key set last_used_at = now() where id in (
      select id from operator_key where key_hash = any($1::bytea[]) and revoked_at is null and (expires_at is null or expires_at > now())
         and (last_used_at is null or last_used_at < now() - interval '1 minute') for no key update skip locked))
  select k.id, u.account_id, u.email, encode(k.key_hash, 'base64') as key_hash, k.scopes,
    case when k.revoked_at is not null or not u.is_operator then 'api_key_revoked' when k.expires_at <= now() then 'api_key_expired'
         when a.status <> 'active' then 'account_suspended' end as refusal
  from operator_key k join "user" u on u.id = k.user_id join account a on a.id = u.account_id where k.key_hash = any($1::bytea[])`;

async function readRows(pool: pg.Pool, hashes: string[]): Promise<Map<string, Row>> {
  try {
    const values = [hashes.map((hash) => Buffer.from(hash, "base64"))];
    const { rows } = await pool.query<Row>({ name: "operator-key", text: byHash, values });
    return new Map(rows.map((row) => [row.key_hash, row]));
  } catch (cause) {
    throw new RelayError("database_unavailable", { cause, internal: "key look-up failed" });
  }
}

const isScope = (word: string): word is OperatorScope =>
  operatorScopes.some((scope) => scope === word);

/** Nothing that an operator key may call has a price. */
function noMultiplier(): never {
  throw new RelayError("key_kind_not_allowed");
}

function principalOf({ id, account_id: accountId, email, scopes }: Row): OperatorKeyPrincipal {
  return {
    kind: "operatorKey",
    accountId,
    apiKeyId: null,
    operatorKeyId: id,
    email,
    scopes: scopes.filter(isScope),
    rateSubject: id,
    requestsPerMinute: OPERATOR_REQUESTS_PER_MINUTE,
    models: [],
    multiplierPpm: noMultiplier,
    sees: () => true,
  };
}

/** `mayOperateFrom`: whether operators may work from an address. */
export function createOperatorKeys(
  pool: pg.Pool,
  mayOperateFrom: (address: string | undefined) => boolean,
) {
  const lookups = new KeyLookups<Row>((hashes) => readRows(pool, hashes));
  return {
    /** Rejects as `KeyAuthenticator.identify` does. */
    async identify(text: string, source?: { readonly address?: string }) {
      if (!isOperatorKeyText(text)) throw new RelayError("invalid_api_key");
      const row = await lookups.lookUp(hashKeyText(text), addressGroup(source?.address));
      if (row === null) throw new RelayError("invalid_api_key");
      if (row.refusal !== null) throw new RelayError(row.refusal);
      if (!mayOperateFrom(source?.address)) {
        const from = source?.address ?? "an unknown address";
        const message = `Operator keys may not be used from ${from}.`;
        throw new RelayError("address_not_allowed", { message });
      }
      return principalOf(row);
    },
  };
}
