/**
 * Signatures of callbacks, by the Standard Webhooks specification (standardwebhooks.com, version
 * 1).
 */
import { createHmac, hkdfSync } from "node:crypto";

function derived(relaySecret: string, salt: string): string {
  const key = hkdfSync("sha256", relaySecret, salt, "relay callback v1", 32);
  return `whsec_${Buffer.from(key).toString("base64")}`;
}

/** The secret that signs the callbacks of what a key orders: `whsec_` and base64, always the same. */
export const callbackSecret = (relaySecret: string, apiKeyId: string): string =>
  derived(relaySecret, apiKeyId);

/**
 * The one that all keys of an account shared before each had its own. `renewals`: how often the
 * account began anew until then.
 */
export const sharedCallbackSecret = (
  relaySecret: string,
  accountId: string,
  renewals: number,
): string => derived(relaySecret, renewals === 0 ? accountId : `${accountId} ${renewals}`);

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
