/**
 * Re-encrypts the stored credentials under the current secret, while servers accept both secrets.
 */
import type pg from "pg";
import type { Secrets } from "../crypto/secrets";
import { sealCredential, unsealCredential } from "./credential";
import {
  readCredentials,
  type StoredCredential,
  sealFurther,
  unsealFurther,
} from "./further-credentials";
import { sealProxy, unsealProxy } from "./proxy";

/** A credential: the channel's own, a further one, or its proxy's. */
interface SealedRow {
  readonly id: string;
  readonly name: string;
  readonly own: { readonly credential: Buffer; readonly credentialNonce: Buffer } | null;
  readonly further: StoredCredential | null;
  readonly proxy: Buffer | null;
}

export interface SealState {
  /** Encrypted under the current secret. */
  readonly current: SealedRow[];
  /** Encrypted under the previous secret, with the decrypted credential. */
  readonly previous: { readonly row: SealedRow; readonly credential: string }[];
  /** Encrypted under neither. */
  readonly unknown: SealedRow[];
}

function opened({ id, own, further, proxy }: SealedRow, secret: string | undefined): string | null {
  if (secret === undefined) return null;
  if (further !== null) return unsealFurther(secret, id, further);
  if (proxy !== null) return unsealProxy(secret, id, proxy);
  return own && unsealCredential(secret, id, own);
}

interface StoredRow {
  readonly id: string;
  readonly name: string;
  readonly credential: Buffer | null;
  readonly nonce: Buffer | null;
  readonly credentials: unknown;
  readonly proxy: Buffer | null;
}

const read = `select id, name, credential, credential_nonce as nonce, credentials, proxy_credential as proxy from channel
  where credential is not null or credentials <> '[]' or proxy_credential is not null order by id`;

function sealedIn({ id, name, credential, nonce, credentials, proxy }: StoredRow): SealedRow[] {
  const none = { id, name, own: null, further: null, proxy: null };
  const rows: SealedRow[] = readCredentials(credentials).map((further) => ({
    ...none,
    name: `${name} (${further.name})`,
    further,
  }));
  if (proxy !== null) rows.push({ ...none, name: `${name} (proxy)`, proxy });
  if (credential === null || nonce === null) return rows;
  return [{ ...none, own: { credential, credentialNonce: nonce } }, ...rows];
}

/** Finds the secret under which each credential is encrypted. */
export async function readSeals(
  pool: pg.Pool,
  { accepted: [current, previous] }: Pick<Secrets, "accepted">,
): Promise<SealState> {
  const { rows } = await pool.query<StoredRow>(read);
  const state: SealState = { current: [], previous: [], unknown: [] };
  for (const row of rows.flatMap(sealedIn)) {
    if (opened(row, current) !== null) state.current.push(row);
    else {
      const credential = opened(row, previous);
      if (credential === null) state.unknown.push(row);
      else state.previous.push({ row, credential });
    }
  }
  return state;
}

const replaceOwn =
  "update channel set credential = $2, credential_nonce = $3 where id = $1 and credential = $4";
const replaceFurther = `
  update channel set credentials = (
    select jsonb_agg(case when c ->> 'sealed' = $3 then jsonb_set(c, '{sealed}', to_jsonb($2::text)) else c end order by n)
      from jsonb_array_elements(credentials) with ordinality as t (c, n))
   where id = $1 and credentials @> jsonb_build_array(jsonb_build_object('sealed', $3::text))`;

const replaceProxy =
  "update channel set proxy_credential = $2 where id = $1 and proxy_credential = $3";

function replacement({ id, own, further, proxy }: SealedRow, secret: string, text: string) {
  if (further !== null) {
    const sealed = sealFurther(secret, id, further.name, text);
    return { text: replaceFurther, values: [id, sealed, further.sealed] };
  }
  if (proxy !== null) {
    const sealed = Buffer.from(sealProxy(secret, id, text));
    return { text: replaceProxy, values: [id, sealed, proxy] };
  }
  const { credential, credentialNonce } = sealCredential(secret, id, text);
  const bytes = [credential, credentialNonce].map((each) => Buffer.from(each));
  return { text: replaceOwn, values: [id, ...bytes, own?.credential] };
}

/**
 * Re-encrypts each credential that is under the previous secret, in a commit of its own. One that
 * was replaced meanwhile is read again. Returns how many were changed.
 */
export async function resealCredentials(pool: pg.Pool, secrets: Secrets): Promise<number> {
  for (let done = 0; ; ) {
    const { previous } = await readSeals(pool, secrets);
    if (previous.length === 0) return done;
    for (const { row, credential } of previous) {
      const { rowCount } = await pool.query(replacement(row, secrets.current, credential));
      done += rowCount ?? 0;
    }
  }
}
