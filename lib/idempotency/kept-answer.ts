/** An answer as it is stored for the retries of its request. */
import type { Outgoing } from "../http/exchange";
import type { Answer } from "./decide";
import type { RequestFacts } from "./request-facts";

/** Headers that belong to the answer and not to one request. */
const keptHeaders = ["content-type", "x-relay-points", "x-relay-task-id", "x-relay-ignored-fields"];

/**
 * Null when the answer is not stored: a stream, or a plain answer so large that it is forwarded in
 * pieces.
 */
export function keptAnswer({ isStream }: RequestFacts, { headers, body }: Outgoing): Answer | null {
  if (isStream || !(typeof body === "string" || body instanceof Uint8Array)) return null;
  const kept = keptHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  );
  return { headers: Object.fromEntries(kept), body };
}

/** The stored answer, as the answer to `call`. */
export function replayed(
  call: { readonly headers: Record<string, string> },
  answer: Answer,
  { fingerprint }: RequestFacts,
): Outgoing {
  const own = fingerprint === null ? { "idempotent-replayed": "true" } : {};
  return {
    status: 200,
    headers: Object.assign(call.headers, answer.headers, own),
    body: answer.body,
  };
}
