/**
 * The key of an account, under which its stored responses and the kept contents of its requests are
 * encrypted. It is itself encrypted under the installation's secret.
 */
import type pg from "pg";
import { newKey, openedFor, sealedFor } from "../crypto/seal";
import { type Secrets, withFitting } from "../crypto/secrets";
import type { SealedKind } from "../db/reseal";

const PURPOSE = "relay stored responses v1";

/** Null when the key was encrypted under another secret, or for another account. */
function openKey(secret: string, accountId: string, sealed: Uint8Array): Buffer | null {
  const text = openedFor(secret, PURPOSE, accountId, sealed);
  return text === null ? null : Buffer.from(text, "base64");
}

export const sealedKeys: SealedKind = {
  name: "stored responses",
  read: "select account_id as id, sealed_key as sealed from response_account where account_id > $1 order by account_id limit $2",
  replace: "update response_account set sealed_key = $2 where account_id = $1 and sealed_key = $3",
  anew({ id, sealed }, previous, current) {
    const text = openedFor(previous, PURPOSE, id, sealed);
    return text === null ? null : [sealedFor(current, PURPOSE, id, text), sealed];
  },
};

/** Null when no accepted secret fits. */
export const fittingKey = (
  secrets: Secrets,
  accountId: string,
  sealed: Uint8Array,
): Buffer | null => withFitting(secrets, (secret) => openKey(secret, accountId, sealed));

const newSealedKey = (secrets: Secrets, accountId: string) => {
  const key = newKey();
  const text = key.toString("base64");
  return { key, sealed: sealedFor(secrets.current, PURPOSE, accountId, text) };
};

/**
 * A closed account stores nothing more. The lock makes an erasure wait for what is being stored,
 * and what comes later see that the account is closed.
 */
export const ifOpen = "from account where id = $1 and status <> 'closed' for share";

export class AccountKeys {
  constructor(
    readonly pool: pg.Pool,
    readonly secrets: Secrets,
  ) {}

  async #sealedKey(accountId: string): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ sealed: Buffer }>(
      "select sealed_key as sealed from response_account where account_id = $1",
      [accountId],
    );
    return rows[0]?.sealed ?? null;
  }

  #fitting(accountId: string, sealed: Buffer | null): Buffer | null {
    return sealed === null ? null : fittingKey(this.secrets, accountId, sealed);
  }

  /** Made at first use. Null when the account is closed. */
  async keyOf(accountId: string): Promise<Buffer | null> {
    const known = await this.#sealedKey(accountId);
    const fits = this.#fitting(accountId, known);
    if (fits !== null) return fits;
    const { key, sealed } = newSealedKey(this.secrets, accountId);
    // A key that no secret opens is of no use: the secret was replaced without a rotation.
    const { rowCount } = await this.pool.query(
      `insert into response_account (account_id, sealed_key) select id, $2::bytea ${ifOpen}
       on conflict (account_id) do update set sealed_key = excluded.sealed_key where response_account.sealed_key = $3`,
      [accountId, sealed, known],
    );
    if ((rowCount ?? 0) > 0) return key;
    const stored = await this.#sealedKey(accountId);
    const other = this.#fitting(accountId, stored);
    if (stored !== null && other === null)
      throw new Error("another request's key of an account does not open");
    return other;
  }
}
