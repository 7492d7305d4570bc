/**
 * Makes a key or an invitation once per Idempotency-Key. The request's row is written in the
 * transaction that makes it, so there is never one without the other. It keeps the new secret
 * sealed under the text of the management key that asked, which we do not store: only that caller
 * can read it again.
 */
import { keyTextOf } from "../accounts/key-authenticator";
import type { Database, Transaction } from "../db/client";
import { RelayError } from "../errors";
import type { Call } from "../http/serve";
import { newOperationId } from "../ids";
import { derivedKey, joined, parted, seal, unseal } from "../seal";

const keyPattern = /^[\x20-\x7e]{1,255}$/;

interface MadeKey {
  readonly id: string;
  readonly secret: string;
}

/** Another request with the same Idempotency-Key was first. */
export class MadeBefore extends Error {}

export interface Once {
  /** What an earlier request with this key made; null when there was none. */
  earlier(database: Database): Promise<MadeKey | null>;
  /** Called first in the transaction that makes the key. Throws `MadeBefore`. */
  claim(transaction: Transaction, made: MadeKey): Promise<void>;
}

function readMade(text: string): MadeKey {
  const [id = "", secret = ""] = text.split(" ");
  return { id, secret };
}

/** Null when the request has no Idempotency-Key. */
export function onceOf({ incoming, principal, rawBody, row, requestId }: Call): Once | null {
  const key = incoming.header("idempotency-key");
  if (key === undefined) return null;
  if (!keyPattern.test(key))
    throw new RelayError("invalid_value", {
      message: "The Idempotency-Key header must be 1 to 255 printable ASCII characters.",
    });
  const { accountId } = principal;
  const sha256 = new Uint8Array(rawBody.sha256());
  const sealKey = derivedKey(keyTextOf(incoming.header("authorization")), "a key made once");
  const boundTo = `${accountId} ${key}`;
  return {
    async earlier(database) {
      const found = await database.idempotentRequest.findUnique({
        where: { accountId_key: { accountId, key }, expiresAt: { gt: new Date() } },
      });
      if (found === null) return null;
      const isSame =
        found.endpoint === row.name && Buffer.compare(found.requestSha256, sha256) === 0;
      if (!isSame || found.body === null) throw new RelayError("idempotency_key_reused");
      try {
        return readMade(unseal(sealKey, boundTo, parted(found.body)));
      } catch {
        throw new RelayError("idempotency_key_reused", {
          message: "This Idempotency-Key was already used with another management key.",
        });
      }
    },
    async claim(transaction, { id, secret }) {
      const body = joined(seal(sealKey, boundTo, `${id} ${secret}`));
      const written = await transaction.$executeRaw`
        insert into idempotent_request as r (account_id, key, endpoint, request_sha256, is_stream, request_id, operation_id, state, headers, body)
        values (${accountId}, ${key}, ${row.name}, ${sha256}, false, ${requestId}, ${newOperationId()}::uuid, 'answered', '{}', ${body})
        on conflict (account_id, key) do update set endpoint = excluded.endpoint, request_sha256 = excluded.request_sha256,
          is_stream = false, request_id = excluded.request_id, operation_id = excluded.operation_id, node_id = null, state = 'answered',
          headers = '{}', body = excluded.body, took_effect = false, created_at = now(), expires_at = now() + interval '24 hours'
        where r.expires_at <= now() and r.state = 'answered'`;
      if (written === 0) throw new MadeBefore();
    },
  };
}
