/**
 * Signatures of callbacks, by the Standard Webhooks specification (standardwebhooks.com, version
 * 1).
 */
import { createHmac, hkdfSync } from "node:crypto";

/**
 * The secret that signs an account's callbacks: `whsec_` and base64, the same on every call until the
 * account begins anew. `renewals`: how often it did; who read the secret before cannot sign after it.
 */
export function callbackSecret(relaySecret: string, accountId: string, renewals: number): string {
  const salt = renewals === 0 ? accountId : `${accountId} ${renewals}`;
  const key = hkdfSync("sha256", relaySecret, salt, "relay callback v1", 32);
  return `whsec_${Buffer.from(key).toString("base64")}`;
}

/**
 * The three headers of one delivery, with a signature for each of `secrets`; a receiver needs one
 * that matches. `timestamp` in epoch seconds.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
