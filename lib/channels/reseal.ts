/**
 * Re-encrypts the stored credentials under the current secret, while servers accept both secrets.
 */
import type pg from "pg";
import type { Secrets } from "../secrets";
import { sealCredential, unsealCredential } from "./credential";

interface SealedRow {
  readonly id: string;
  readonly name: string;
  readonly credential: Buffer;
  readonly nonce: Buffer;
}

export interface SealState {
  /** Encrypted under the current secret. */
  readonly current: SealedRow[];
  /** Encrypted under the previous secret, with the decrypted credential. */
  readonly previous: { readonly row: SealedRow; readonly credential: string }[];
  /** Encrypted under neither. */
  readonly unknown: SealedRow[];
}

function opened(row: SealedRow, secret: string | undefined): string | null {
  if (secret === undefined) return null;
  try {
    return unsealCredential(secret, row.id, {
      credential: row.credential,
      credentialNonce: row.nonce,
    });
  } catch {
    return null;
  }
}

/** Finds the secret under which each credential is encrypted. */
export async function readSeals(
  pool: pg.Pool,
  { accepted: [current, previous] }: Pick<Secrets, "accepted">,
): Promise<SealState> {
  const { rows } = await pool.query<SealedRow>(
    "select id, name, credential, credential_nonce as nonce from channel where credential is not null order by id",
  );
  const state: SealState = { current: [], previous: [], unknown: [] };
  for (const row of rows) {
    if (opened(row, current) !== null) state.current.push(row);
    else {
      const credential = opened(row, previous);
      if (credential === null) state.unknown.push(row);
      else state.previous.push({ row, credential });
    }
  }
  return state;
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
      const sealed = sealCredential(secrets.current, row.id, credential);
      const { rowCount } = await pool.query(
        "update channel set credential = $2, credential_nonce = $3 where id = $1 and credential = $4",
        [
          row.id,
          Buffer.from(sealed.credential),
          Buffer.from(sealed.credentialNonce),
          row.credential,
        ],
      );
      done += rowCount ?? 0;
    }
  }
}
