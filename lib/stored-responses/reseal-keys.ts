/**
 * Re-encrypts the keys of stored responses under the current secret, while servers accept both
 * secrets.
 */
import type pg from "pg";
import type { Secrets } from "../crypto/secrets";
import { openKey, sealKey } from "./account-key";

const READ_AT_ONCE = 1000;

interface KeyRow {
  readonly id: string;
  readonly sealed: Buffer;
}

/** The keys that are under the previous secret, piece by piece. */
async function* previousKeys(
  pool: pg.Pool,
  [, previous]: readonly string[],
): AsyncGenerator<KeyRow & { readonly key: Buffer }> {
  if (previous === undefined) return;
  for (let after = ""; ; ) {
    const { rows } = await pool.query<KeyRow>(
      "select account_id as id, sealed_key as sealed from response_account where account_id > $1 order by account_id limit $2",
      [after, READ_AT_ONCE],
    );
    for (const row of rows) {
      const key = openKey(previous, row.id, row.sealed);
      if (key !== null) yield { ...row, key };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Whether a key is still under the previous secret. */
export async function hasPreviousKeys(
  pool: pg.Pool,
  { accepted }: Pick<Secrets, "accepted">,
): Promise<boolean> {
  for await (const _ of previousKeys(pool, accepted)) return true;
  return false;
}

/** Re-encrypts each key in a commit of its own. One that was replaced meanwhile stays. */
export async function resealResponseKeys(pool: pg.Pool, secrets: Secrets): Promise<void> {
  const { accepted, current } = secrets;
  for await (const { id, sealed, key } of previousKeys(pool, accepted)) {
    await pool.query(
      "update response_account set sealed_key = $2 where account_id = $1 and sealed_key = $3",
      [id, sealKey(current, id, key), sealed],
    );
  }
}
