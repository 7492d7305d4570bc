/** Re-encrypts the secrets of webhooks under the current secret of the installation. */
import type pg from "pg";
import type { Secrets } from "../crypto/secrets";
import { openWebhookSecret, sealWebhookSecret } from "./webhook-secret";

const READ_AT_ONCE = 1000;

interface Row {
  readonly id: string;
  readonly sealed: Buffer;
  readonly old_sealed: Buffer | null;
}

/** Those under the previous secret, in batches. */
async function* previousWebhooks(
  pool: pg.Pool,
  [, previous]: readonly string[],
): AsyncGenerator<Row & { readonly text: string; readonly oldText: string | null }> {
  if (previous === undefined) return;
  for (let after = ""; ; ) {
    const { rows } = await pool.query<Row>(
      "select id, sealed, old_sealed from webhook_endpoint where id > $1 order by id limit $2",
      [after, READ_AT_ONCE],
    );
    for (const row of rows) {
      const text = openWebhookSecret(previous, row.id, row.sealed);
      const oldText = row.old_sealed && openWebhookSecret(previous, row.id, row.old_sealed);
      if (text !== null) yield { ...row, text, oldText };
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Whether one is still under the previous secret. */
export async function hasPreviousWebhooks(
  pool: pg.Pool,
  { accepted }: Pick<Secrets, "accepted">,
): Promise<boolean> {
  for await (const _ of previousWebhooks(pool, accepted)) return true;
  return false;
}

/** Each in a commit of its own. One that was replaced meanwhile stays. */
export async function resealWebhooks(pool: pg.Pool, { accepted, current }: Secrets): Promise<void> {
  for await (const { id, sealed, text, oldText } of previousWebhooks(pool, accepted)) {
    await pool.query(
      `update webhook_endpoint set sealed = $2, old_sealed = case when $4::bytea is null then old_sealed else $4 end
        where id = $1 and sealed = $3`,
      [
        id,
        sealWebhookSecret(current, id, text),
        sealed,
        oldText === null ? null : sealWebhookSecret(current, id, oldText),
      ],
    );
  }
}
