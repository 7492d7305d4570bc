/** Calls an endpoint within the process, as the client of another request. */

import { bodyTooLarge } from "../../http/body-too-large";
import type { Incoming, Outgoing } from "../../http/exchange";
import { whenAborted } from "../../http/fetch-lane";
import type { FindEndpoint } from "../../http/route-table";
import { nextTurn } from "../../next-turn";

/** Another request gets its turn after a body of this size was written. */
const LARGE_BYTES = 256 * 1024;
/** What the caller's own headers decide for the endpoints called for it. */
const passedHeaders: readonly string[] = ["authorization", "traceparent", "x-client-request-id"];

export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
}

export type Ask = (question: Question) => Promise<Outgoing>;

/**
 * The endpoints as `caller` may call them: with its key, its limits and its address. `signal`: when
 * it leaves.
 */
export function askAs(find: FindEndpoint, caller: Incoming, signal: AbortSignal): Ask {
  return async ({ method, path, query = "", body, idempotencyKey }) => {
    const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
    const own: Readonly<Record<string, string | undefined>> = {
      "content-type": "application/json",
      "content-length": String(bytes.length),
      "idempotency-key": idempotencyKey,
    };
    if (bytes.length > LARGE_BYTES) await nextTurn();
    const endpoint = find(method, path);
    if (endpoint === undefined) throw new Error(`there is no ${path}`);
    return endpoint({
      method,
      path,
      query,
      ...(caller.address === undefined ? {} : { address: caller.address }),
      dialect: "mcp",
      header: (name) => (passedHeaders.includes(name) ? caller.header(name) : own[name]),
      async receive(limitBytes, take) {
        if (bytes.length > limitBytes) throw bodyTooLarge(limitBytes);
        await take(bytes);
      },
      onGone: (callback) => whenAborted(signal, callback),
    });
  };
}
