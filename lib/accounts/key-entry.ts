import { BlockList } from "node:net";
import type pg from "pg";
import type { FailureCode } from "../failures/failure-table";
import { RelayError } from "../failures/relay-error";
import { addressListOf, isListed } from "../net/address-list";
import {
  type GroupTerms,
  groupColumn,
  groupOf,
  ownColumns,
  type StoredTerms,
  termsOf,
} from "./account-terms";
import type { ApiKeyPrincipal } from "./principal";

/** The source of a request. It is read only for keys that are not cached, or have addresses. */
export interface KeySource {
  readonly address?: string;
}

/** One key as it is cached. */
export interface KeyEntry {
  readonly principal: ApiKeyPrincipal;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly refusal: FailureCode | null;
  /** From where it may be used; null for everywhere. */
  readonly addresses: BlockList | null;
  /** The group of the account. */
  readonly groupId: string | null;
  usedAt: number;
  /** The last use that was passed on to be written. */
  flushedAt: number;
  isUsedSinceTick: boolean;
}

interface KeyRow extends StoredTerms {
  readonly id: string;
  readonly account_id: string;
  readonly key_hash: string;
  readonly requests_per_minute: number;
  readonly models: string[];
  readonly allowed_addresses: string[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly paused_at: Date | null;
  readonly status: string;
}

/** A group comes once, with the first of its keys. */
const byHash = `
  select k.id, k.account_id, encode(k.key_hash, 'base64') as key_hash, k.requests_per_minute, k.models, k.allowed_addresses, k.expires_at, k.revoked_at, k.paused_at,
    a.status, ${ownColumns},
    case when row_number() over (partition by a.group_id order by k.id) = 1 then ${groupColumn} end as group_terms
  from api_key k join account a on a.id = k.account_id where k.key_hash = any($1::bytea[])`;

function refusalOf({ revoked_at, paused_at, status }: KeyRow): FailureCode | null {
  if (revoked_at !== null) return "api_key_revoked";
  if (status !== "active") return "account_suspended";
  return paused_at === null ? null : "api_key_paused";
}

/** A list that cannot be read admits no address. */
function addressesOf(allowed: readonly string[]): BlockList | null {
  if (allowed.length === 0) return null;
  const list = addressListOf(allowed);
  return typeof list === "string" ? new BlockList() : list;
}

function assertAddress(addresses: BlockList, address = "an unknown address"): void {
  if (isListed(addresses, address)) return;
  const message = `This API key may not be used from ${address}.`;
  throw new RelayError("address_not_allowed", { message });
}

function entryOf(row: KeyRow, group: GroupTerms | null): KeyEntry {
  const { multiplierPpm, sees, keepsContent } = termsOf(row, group);
  return {
    principal: {
      kind: "apiKey",
      accountId: row.account_id,
      apiKeyId: row.id,
      rateSubject: row.id,
      requestsPerMinute: row.requests_per_minute,
      models: row.models,
      multiplierPpm,
      sees,
      keepsContent,
    },
    expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    refusal: refusalOf(row),
    addresses: addressesOf(row.allowed_addresses),
    groupId: row.group_id,
    usedAt: 0,
    flushedAt: 0,
    isUsedSinceTick: true,
  };
}

/** Reads keys by their hashes (base64). Rejects with `database_unavailable`. */
export async function readKeys(pool: pg.Pool, hashes: string[]): Promise<Map<string, KeyEntry>> {
  try {
    const values = [hashes.map((hash) => Buffer.from(hash, "base64"))];
    const { rows } = await pool.query<KeyRow>({ name: "key-by-hash", text: byHash, values });
    const groups = new Map(
      rows.flatMap(({ group_terms: group }) => (group ? [[group.id, groupOf(group)]] : [])),
    );
    return new Map(
      rows.map((row) => [row.key_hash, entryOf(row, groups.get(row.group_id ?? "") ?? null)]),
    );
  } catch (cause) {
    throw new RelayError("database_unavailable", { cause, internal: "key look-up failed" });
  }
}

/** Whether the key may be used now. */
export function isAdmissible({ refusal, expiresAt }: KeyEntry): boolean {
  return refusal === null && Date.now() < expiresAt;
}

/** The principal of a usable key. Throws the reason when the key may not be used. */
export function admitKey(entry: KeyEntry, source?: KeySource): ApiKeyPrincipal {
  const now = Date.now();
  if (entry.refusal === "api_key_revoked") throw new RelayError("api_key_revoked");
  if (now >= entry.expiresAt) throw new RelayError("api_key_expired");
  if (entry.refusal !== null) throw new RelayError(entry.refusal);
  if (entry.addresses !== null) assertAddress(entry.addresses, source?.address);
  entry.usedAt = now;
  entry.isUsedSinceTick = true;
  return entry.principal;
}
