import type { SignedIn } from "../accounts/principal";

/** Takes the next part of a body; a promise holds the sender back until it settles, a rejection or a throw refuses the rest. */
export type TakePart = (part: Uint8Array) => Promise<void> | undefined;

/**
 * One request and its answer, in the plainest shape both lanes can give and take: the Node server without building
 * web objects, route files through `Request` and `Response`.
 */
export interface Incoming {
  readonly method: string;
  /** Path without the query, such as `/v1/models/relay-v1`. */
  readonly path: string;
  /** The query without its `?`; empty when there is none. */
  readonly query: string;
  /** The client's IP address; absent where the lane does not know it. */
  readonly address?: string;
  /** The value of a header by its lower-case name; undefined when absent. */
  header(name: string): string | undefined;
  /** Hands on the body as it comes. Rejects with `body_too_large` as soon as it is known to exceed `limitBytes`. */
  receive(limitBytes: number, take: TakePart): Promise<void>;
  /** Calls back once if the client goes away before the answer is complete. */
  onGone(callback: () => void): void;
}

export interface Outgoing {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Record<string, string>;
  /**
   * A stream is chunks of text or bytes; its `return()` is called when the client goes away. A stream whose length is
   * known says so in `content-length`.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
}

/** Whether the body is sent piece by piece. */
export const isStream = (body: Outgoing["body"]): body is AsyncIterable<string | Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

/** `signedIn`: the session that the playground's lane has checked; absent: the request's API key says who asks. */
export type Endpoint = (incoming: Incoming, signedIn?: SignedIn) => Promise<Outgoing>;
