/** An answer as it is kept for the retries of its request. */
import type { Outgoing } from "../http/exchange";
import type { Answer } from "./decide";
import type { RequestFacts } from "./request-facts";

/** Headers that belong to the answer, not to the one request. */
const keptHeaders = ["content-type", "x-relay-points", "x-relay-task-id", "x-relay-ignored-fields"];

/** Null: it is not kept. A stream is not, nor is a plain answer so large that it is passed on in pieces. */
export function keptAnswer({ isStream }: RequestFacts, { headers, body }: Outgoing): Answer | null {
  if (isStream || !(typeof body === "string" || body instanceof Uint8Array)) return null;
  const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]));
  return { headers: Object.fromEntries(kept), body };
}

/** The kept answer as the answer to `call`. */
export function replayed(call: { readonly headers: Record<string, string> }, answer: Answer, { fingerprint }: RequestFacts): Outgoing {
  const own = fingerprint === null ? { "idempotent-replayed": "true" } : {};
  return { status: 200, headers: Object.assign(call.headers, answer.headers, own), body: answer.body };
}
