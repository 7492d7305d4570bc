/** One call to an upstream, as operators see it. */
import type { Channel, UpstreamFailure } from "./provider";

export interface Attempt {
  /** The request that it was made for; null for a test of the channel. */
  readonly operationId: string | null;
  readonly channel: Channel;
  /** Catalogue identifier. */
  readonly model: string;
  /** Null when it answered. */
  readonly failure: AttemptFailure | null;
  /** The upstream's id of the work, where it named one. */
  readonly upstreamRef?: string | null;
  /** From sending it to its end, in milliseconds. */
  readonly tookMs: number;
}

export interface AttemptFailure
  extends Pick<UpstreamFailure, "internal" | "status" | "said" | "mayHaveCost"> {
  readonly code: string;
}

/** Called after each call of a test. */
export type NoteTestCall = (
  call: Pick<Attempt, "failure" | "tookMs"> & { readonly upstreamRef: string | null },
) => void;

export type NoteAttempt = (attempt: Attempt) => void;
