/**
 * Decides what to do with a request whose key was used before, depending on the first request's
 * outcome.
 */

import { newOperationId } from "../crypto/ids";
import { RelayError } from "../failures/relay-error";
import { pointsNumber } from "../money/points";
import type { RequestFacts } from "./request-facts";
import type { EarlierRequest } from "./request-table";

export interface Answer {
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}
/** Run it in the given operation, replay the stored answer, or look again later. */
export type Decision = Run | { do: "replay"; answer: Answer } | { do: "wait" };
export interface Run {
  do: "run";
  operationId: string;
  isResumed: boolean;
  /** What an earlier attempt made that is shown once, sealed. */
  made?: Uint8Array;
}

export function finished(requestId: string): RelayError {
  const message = `The request ${requestId} with this Idempotency-Key has ended and was charged; its answer is not stored. Use a new key for a new request.`;
  return new RelayError("idempotency_finished", { message, fields: { request_id: requestId } });
}

function tookEffect(requestId: string): RelayError {
  const message = `The request ${requestId} with this Idempotency-Key took effect; its answer is not stored. Read what it changed, and use a new key for a new request.`;
  return new RelayError("idempotency_finished", { message, fields: { request_id: requestId } });
}

export function assertSame(
  facts: RequestFacts,
  earlier: { endpoint: string; sha256: Buffer },
): void {
  if (earlier.endpoint !== facts.endpoint || !earlier.sha256.equals(facts.sha256))
    throw new RelayError("idempotency_key_reused");
}

/** What to do with a request whose key was used before. Throws when it must be refused. */
export function decide(
  facts: RequestFacts,
  earlier: EarlierRequest,
  isWorkedOn: boolean,
): Decision {
  const newRun: Decision = { do: "run", operationId: newOperationId(), isResumed: false };
  if (earlier.isExpired && !(earlier.state === "running" && isWorkedOn)) return newRun;
  assertSame(facts, earlier);
  const { body, headers, outcome } = earlier;
  if (earlier.state === "answered" && body !== null)
    return { do: "replay", answer: { headers: headers ?? {}, body } };
  if (outcome === "released") return newRun;
  if (outcome === "settled" && body !== null) {
    const points = String(pointsNumber(BigInt(earlier.amount ?? 0)));
    return { do: "replay", answer: { headers: { ...headers, "x-relay-points": points }, body } };
  }
  if (outcome === "settled" && facts.isStream) throw finished(earlier.requestId);
  if (isWorkedOn) return { do: "wait" };
  if (earlier.tookEffect && body === null) throw tookEffect(earlier.requestId);
  if (earlier.tookEffect && body !== null)
    return { do: "run", operationId: earlier.operationId, isResumed: true, made: body };
  // A video continues without the process that ordered it.
  if (earlier.family === "video")
    return { do: "run", operationId: earlier.operationId, isResumed: true };
  // The answer is created again from the stored image.
  if (outcome === "settled" && earlier.family === "image")
    return { do: "run", operationId: earlier.operationId, isResumed: true };
  if (outcome === "settled") throw finished(earlier.requestId);
  return earlier.family === null ? newRun : { do: "wait" };
}
