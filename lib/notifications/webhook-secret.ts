/** The secrets that sign webhooks: random, shown once, and encrypted in the database. */
import { randomBytes } from "node:crypto";
import { openedFor, sealedFor } from "../crypto/seal";
import { type Secrets, withFitting } from "../crypto/secrets";
import type { SealedKind } from "../db/reseal";

const PURPOSE = "relay webhook v1";
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

export const sealWebhookSecret = (
  secret: string,
  endpointId: string,
  text: string,
): Uint8Array<ArrayBuffer> => sealedFor(secret, PURPOSE, endpointId, text);

/** Null when it was encrypted under another secret, or for another endpoint. */
const openWebhookSecret = (secret: string, endpointId: string, sealed: Uint8Array): string | null =>
  openedFor(secret, PURPOSE, endpointId, sealed);

interface SealedWebhook {
  readonly id: string;
  readonly sealed: Buffer;
  readonly old_sealed: Buffer | null;
}

export const sealedWebhooks: SealedKind<SealedWebhook> = {
  name: "secrets of webhooks",
  read: "select id, sealed, old_sealed from webhook_endpoint where id > $1 order by id limit $2",
  replace: `update webhook_endpoint set sealed = $2, old_sealed = case when $4::bytea is null then old_sealed else $4 end
    where id = $1 and sealed = $3`,
  anew({ id, sealed, old_sealed: old }, previous, current) {
    const text = openWebhookSecret(previous, id, sealed);
    if (text === null) return null;
    const oldText = old && openWebhookSecret(previous, id, old);
    const anew = (each: string) => sealWebhookSecret(current, id, each);
    return [anew(text), sealed, oldText === null ? null : anew(oldText)];
  },
};

export const fittingWebhookSecret = (
  secrets: Secrets,
  endpointId: string,
  sealed: Uint8Array,
): string | null => withFitting(secrets, (secret) => openWebhookSecret(secret, endpointId, sealed));
