/** Re-encrypts the secrets of authenticator apps under the current secret of the installation. */
import type pg from "pg";
import type { Secrets } from "../../crypto/secrets";
import { openTotp, sealTotp } from "./totp";

const READ_AT_ONCE = 1000;

interface Row {
  readonly id: string;
  readonly sealed: Buffer;
}

/** Those under the previous secret, in batches. */
async function* previousTotp(
  pool: pg.Pool,
  [, previous]: readonly string[],
): AsyncGenerator<Row & { readonly totp: string }> {
  if (previous === undefined) return;
  for (let after = ""; ; ) {
    const { rows } = await pool.query<Row>(
      "select user_id as id, sealed from user_totp where user_id > $1 order by user_id limit $2",
      [after, READ_AT_ONCE],
    );
    for (const row of rows) {
      const totp = openTotp(previous, row.id, row.sealed);
      if (totp !== null) yield { ...row, totp };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Whether one is still under the previous secret. */
export async function hasPreviousTotp(
  pool: pg.Pool,
  { accepted }: Pick<Secrets, "accepted">,
): Promise<boolean> {
  for await (const _ of previousTotp(pool, accepted)) return true;
  return false;
}

/** Each in a commit of its own. One that was replaced meanwhile stays. */
export async function resealTotp(pool: pg.Pool, { accepted, current }: Secrets): Promise<void> {
  for await (const { id, sealed, totp } of previousTotp(pool, accepted)) {
    await pool.query("update user_totp set sealed = $2 where user_id = $1 and sealed = $3", [
      id,
      sealTotp(current, id, totp),
      sealed,
    ]);
  }
}
