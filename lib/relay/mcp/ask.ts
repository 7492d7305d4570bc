/** Calls an endpoint within the process, as the client of another request. */

import { bodyTooLarge } from "../../http/body-too-large";
import type { CarriedImages, Incoming, Outgoing } from "../../http/exchange";
import { whenAborted } from "../../http/fetch-lane";
import type { RawBody } from "../../http/raw-body";
import type { FindEndpoint } from "../../http/route-table";
import type { InlineImages } from "../../json/inline-images";
import { nextTurn } from "../../timing/next-turn";

/** Another request gets its turn after a body of this size was written. */
const LARGE_BYTES = 256 * 1024;
/** What the caller's own headers decide for the endpoints called for it. */
const passedHeaders: readonly string[] = [
  "authorization",
  "traceparent",
  "x-client-request-id",
  "x-relay-tags",
];

export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
}

export type Ask = (question: Question) => Promise<Outgoing>;

/** What of `images` a body refers to. */
async function carriedIn(
  text: string,
  images: InlineImages | undefined,
): Promise<{ carried?: CarriedImages }> {
  if (images === undefined || images.bytesIn(text) === 0) return {};
  return { carried: { images, sha256: await images.sha256Of(text) } };
}

/** The request that asks, and its body, which is kept while an endpoint works on a part of it. */
export interface Caller {
  readonly incoming: Incoming;
  readonly rawBody: Pick<RawBody, "images" | "hold">;
  /** When it leaves. */
  readonly signal: AbortSignal;
}

/** The endpoints as `caller` may call them: with its key, its limits and its address. */
export function askAs(find: FindEndpoint, { incoming, rawBody, signal }: Caller): Ask {
  return async ({ method, path, query = "", body, idempotencyKey }) => {
    const text = body === undefined ? "" : JSON.stringify(body);
    const bytes = Buffer.from(text);
    const own: Readonly<Record<string, string | undefined>> = {
      "content-type": "application/json",
      "content-length": String(bytes.length),
      "idempotency-key": idempotencyKey,
    };
    if (bytes.length > LARGE_BYTES) await nextTurn();
    const endpoint = find(method, path);
    if (endpoint === undefined) throw new Error(`there is no ${path}`);
    const letGo = rawBody.hold();
    try {
      return await endpoint({
        method,
        path,
        query,
        ...(incoming.address === undefined ? {} : { address: incoming.address }),
        dialect: "mcp",
        ...(await carriedIn(text, rawBody.images)),
        header: (name) => (passedHeaders.includes(name) ? incoming.header(name) : own[name]),
        async receive(limitBytes, take) {
          if (bytes.length > limitBytes) throw bodyTooLarge(limitBytes);
          await take(bytes);
        },
        onGone: (callback) => whenAborted(signal, callback),
      });
    } finally {
      letGo();
    }
  };
}
