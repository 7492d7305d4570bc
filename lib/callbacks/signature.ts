/** Signatures of callbacks in the Standard Webhooks way (standardwebhooks.com, version 1). */
import { createHmac, hkdfSync } from "node:crypto";

/** The secret with which an account's callbacks are signed: `whsec_` and base64, the same on every call. */
export function callbackSecret(relaySecret: string, accountId: string): string {
  const key = hkdfSync("sha256", relaySecret, accountId, "relay callback v1", 32);
  return `whsec_${Buffer.from(key).toString("base64")}`;
}

/** The three headers of one delivery; `timestamp` in epoch seconds. */
export function signatureHeaders(secret: string, id: string, timestamp: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}
