/**
 * Which requests are retries of client libraries, and which of them may join an earlier order.
 *
 * Which order a retry without a key joins: the newest one of the same API key, endpoint and body
 * that is still running, or was charged at most ten minutes ago, and whose own client has gone. Two
 * equal orders may both be intended: each retry takes one of them, and the next retry finds the
 * other. If every such order still has its client, there are two cases. If a request of this key
 * was answered "try again" in the last two minutes, the retry may repeat that one, so it places a
 * new order. Otherwise it joins the newest order, whose client may have gone unnoticed. A first
 * attempt never joins.
 */
import { hash } from "node:crypto";
import type { ApiKeyPrincipal, Principal } from "../accounts/principal";
import type { EndpointRow } from "../contract/endpoint";
import type { Incoming } from "../http/exchange";

/**
 * Endpoints of text. A retry of a plain request joins one whose client has left, which is written
 * down only then: storing every answer for a rare retry would cost each request a write. A stream has
 * no answer to store, so its retry is charged again, and the answer says so.
 */
const ofText: readonly string[] = [
  "createChatCompletion",
  "createMessage",
  "createResponse",
  "compactResponse",
];

export const isTextRow = (name: string): boolean => ofText.includes(name);

/** Endpoints whose orders are written before they run. */
const joined: ReadonlySet<string> = new Set([
  "createImage",
  "createImageEdit",
  "createVideo",
  "createVideoTask",
  "createVideoJob",
]);

export const joinsRetries = (row: EndpointRow): boolean => joined.has(row.name);
/** Whether a retry of the endpoint may join an earlier request. */
export const mayJoin = ({ name }: EndpointRow): boolean =>
  joined.has(name) || ofText.includes(name);

/** True when the client's library says that this is a retry. */
export function isRetry(incoming: Incoming): boolean {
  const count = incoming.header("x-stainless-retry-count");
  return count !== undefined && /^[1-9]\d{0,3}$/.test(count);
}

export function fingerprintOf(
  row: EndpointRow,
  { apiKeyId }: ApiKeyPrincipal,
  sha256: Buffer,
): Buffer {
  return hash("sha256", `${apiKeyId}\n${row.name}\n${sha256.toString("hex")}`, "buffer");
}

const FAILURE_MS = 120_000;
const FAILURES_MAX = 10_000;

/**
 * Counts, by key and endpoint, the recent requests that were answered "try again". The retry of
 * such a request has no order to join. It looks the same as the retry of a client that gave up
 * waiting; so as many retries as there were such answers may place a new order when every earlier
 * order still has its client.
 */
export class FailedOrders {
  readonly #failed = new Map<string, { count: number; until: number }>();

  note(row: EndpointRow, { rateSubject }: Principal): void {
    const slot = `${rateSubject}\n${row.name}`;
    const count = this.#live(slot) + 1;
    this.#failed.delete(slot);
    if (this.#failed.size >= FAILURES_MAX) {
      const oldest = this.#failed.keys().next();
      if (!oldest.done) this.#failed.delete(oldest.value);
    }
    this.#failed.set(slot, { count, until: performance.now() + FAILURE_MS });
  }

  /** Uses up one count; false when there is none. */
  take(row: EndpointRow, { rateSubject }: Principal): boolean {
    const slot = `${rateSubject}\n${row.name}`;
    const count = this.#live(slot);
    const own = this.#failed.get(slot);
    if (count <= 1) this.#failed.delete(slot);
    else if (own) own.count--;
    return count > 0;
  }

  #live(slot: string): number {
    const own = this.#failed.get(slot);
    return own && own.until > performance.now() ? own.count : 0;
  }
}
