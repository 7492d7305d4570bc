/** An answer as it is stored for the retries of its request. */

import { openedFor, sealedFor } from "../crypto/seal";
import { type Secrets, withFitting } from "../crypto/secrets";
import type { Outgoing } from "../http/exchange";
import { JSON_TYPE } from "../http/failure-answer";
import { type Answer, finished } from "./decide";
import type { RequestFacts } from "./request-facts";
import { isTextRow } from "./retries";

const EVENT_STREAM = "text/event-stream; charset=utf-8";
const PURPOSE = "relay answers kept for pages v1";
/** The request that was answered first, in the answers to those that repeat it. */
const FIRST_REQUEST = "x-relay-request-id";
const boundTo = ({ accountId, key }: RequestFacts) => `${accountId} ${key}`;

/** Text that nobody asked to be stored, or that people wrote on a page. */
const isSealed = ({ keepsStream, fingerprint, endpoint }: RequestFacts): boolean =>
  keepsStream || (fingerprint !== null && isTextRow(endpoint));

/** An answer before its charge. What people asked on a page is encrypted. */
export function answerToKeep(secrets: Secrets, facts: RequestFacts, body: string): Answer {
  // Only a stream of images is kept by others than pages: it is whole before its charge.
  if (!isSealed(facts))
    return { headers: { "content-type": facts.isStream ? EVENT_STREAM : JSON_TYPE }, body };
  return {
    headers: {
      "content-type": facts.keepsStream ? EVENT_STREAM : JSON_TYPE,
      [FIRST_REQUEST]: facts.requestId,
    },
    body: sealedFor(secrets.current, PURPOSE, boundTo(facts), body),
  };
}

/** The stored answer as it was sent. Throws where the secret has been replaced since. */
export function openedAnswer(secrets: Secrets, facts: RequestFacts, answer: Answer): Answer {
  const { headers, body } = answer;
  if (!isSealed(facts) || typeof body === "string") return answer;
  const text = withFitting(secrets, (secret) => openedFor(secret, PURPOSE, boundTo(facts), body));
  if (text === null) throw finished(headers[FIRST_REQUEST] ?? facts.requestId);
  return { headers, body: text };
}

/** Headers that belong to the answer and not to one request. */
const keptHeaders = [
  "content-type",
  "location",
  "preference-applied",
  "x-relay-points",
  "x-relay-task-id",
  "x-relay-ignored-fields",
];

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
    // Only an order that nobody waits for says so.
    status: answer.headers["preference-applied"] === undefined ? 200 : 202,
    headers: Object.assign(call.headers, answer.headers, own),
    body: answer.body,
  };
}
