/** Signatures of callbacks in the Standard Webhooks way (standardwebhooks.com, version 1). */
import { createHmac, hkdfSync } from "node:crypto";

/** The secret with which an account's callbacks are signed: `whsec_` and base64, the same on every call. */
export function callbackSecret(relaySecret: string, accountId: string): string {
  const key = hkdfSync("sha256", relaySecret, accountId, "relay callback v1", 32);
  return `whsec_${Buffer.from(key).toString("base64")}`;
}

/** The three headers of one delivery, signed under each of `secrets`: a receiver needs one that fits. `timestamp` in epoch seconds. */
export function signatureHeaders(secrets: readonly string[], id: string, timestamp: number, body: string): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
}
