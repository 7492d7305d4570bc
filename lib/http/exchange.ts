import type { SignedIn } from "../accounts/principal";
import type { Dialect } from "../contract/states";
import type { InlineImages } from "../json/inline-images";

/**
 * Takes the next part of a body. A promise pauses the sender until it settles; a rejection or a
 * throw refuses the rest.
 */
export type TakePart = (part: Uint8Array) => Promise<void> | undefined;

/** Encoded images that a request within the process refers to; they are its caller's. */
export interface CarriedImages {
  readonly images: InlineImages;
  /** The hash of the body with the images in it. */
  readonly sha256: Buffer;
}

/**
 * One request and its answer, in the simplest form that both lanes can use: the Node server without
 * creating web objects, the route files through `Request` and `Response`.
 */
export interface Incoming {
  readonly method: string;
  /** Path without the query, such as `/v1/models/relay-v1`. */
  readonly path: string;
  /** The query without its `?`; empty when there is none. */
  readonly query: string;
  /** The client's IP address; absent where the lane does not know it. */
  readonly address?: string;
  /** The API through which it was asked for, if not its row's own. */
  readonly dialect?: Dialect;
  /** Of a request within the process, where its body refers to any. */
  readonly carried?: CarriedImages;
  /** The value of a header by its lower-case name; undefined when absent. */
  header(name: string): string | undefined;
  /**
   * Passes the body on as it arrives. Rejects with `body_too_large` as soon as it is known to
   * exceed `limitBytes`.
   */
  receive(limitBytes: number, take: TakePart): Promise<void>;
  /** Calls back once if the client disconnects before the answer is complete. */
  onGone(callback: () => void): void;
}

/** Aborts if the client disconnects before the answer is complete. */
export function goneSignal(incoming: Pick<Incoming, "onGone">): AbortSignal {
  const gone = new AbortController();
  incoming.onGone(() => gone.abort());
  return gone.signal;
}

export interface Outgoing {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Record<string, string>;
  /**
   * A stream consists of chunks of text or bytes; its `return()` is called when the client
   * disconnects. A stream of known length has a `content-length` header.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
}

/** True when the body is sent in chunks. */
export const isStream = (body: Outgoing["body"]): body is AsyncIterable<string | Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

/**
 * `signedIn`: the session that the playground's lane has verified. Absent when the request has an
 * API key.
 */
export type Endpoint = (incoming: Incoming, signedIn?: SignedIn) => Promise<Outgoing>;
