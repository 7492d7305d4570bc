/** Which requests are retries of client libraries, and which of them repeat an order. */
import { hash } from "node:crypto";
import type { ApiKeyPrincipal, Principal } from "../accounts/principal";
import type { EndpointRow } from "../contract/endpoint";
import type { Incoming } from "../http/exchange";

/**
 * Endpoints whose retries join the order they repeat. A chat is bought again, and its answer says so: keeping every plain answer for a
 * retry that hardly ever comes would cost each of them a write, and a stream has no answer to keep.
 */
const joined: ReadonlySet<string> = new Set(["createImage", "createVideo", "createVideoTask"]);

export const joinsRetries = (row: EndpointRow): boolean => joined.has(row.name);

/** True where the client's library says that it sent the request before. */
export function isRetry(incoming: Incoming): boolean {
  const count = incoming.header("x-stainless-retry-count");
  return count !== undefined && /^[1-9]\d{0,3}$/.test(count);
}

export function fingerprintOf(row: EndpointRow, { apiKeyId }: ApiKeyPrincipal, sha256: Buffer): Buffer {
  return hash("sha256", `${apiKeyId}\n${row.name}\n${sha256.toString("hex")}`, "buffer");
}

const FAILURE_MS = 120_000;
const FAILURES_MAX = 10_000;

/**
 * Requests that were answered "try again" lately, by key and endpoint: a retry that comes after one repeats no order. It is told apart
 * from a retry whose client gave up waiting only by its number: as many as failed may order anew where every order has its client.
 */
export class FailedOrders {
  readonly #failed = new Map<string, { count: number; until: number }>();

  constructor(readonly clock: () => number = () => performance.now()) {}

  note(row: EndpointRow, { rateSubject }: Principal): void {
    const slot = `${rateSubject}\n${row.name}`;
    const count = this.#live(slot) + 1;
    this.#failed.delete(slot);
    if (this.#failed.size >= FAILURES_MAX) this.#failed.delete(this.#failed.keys().next().value as string);
    this.#failed.set(slot, { count, until: this.clock() + FAILURE_MS });
  }

  /** Uses one up; false when there is none. */
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
    return own && own.until > this.clock() ? own.count : 0;
  }
}
