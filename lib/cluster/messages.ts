/** What the primary process and its workers tell each other. Both ends are of one build. */

import type { Grant } from "../limits/leased-counts";
import type { LeasedMessage } from "../limits/leased-windows";
import type { ToldHealth } from "./channel-news";
import type { FamilyReading } from "./joined-metrics";

/** Raised when a message changes: a worker of another build is not used. */
export const PROTOCOL = 3;

/** What one worker knows of the channels, for another. */
interface ToldRests {
  readonly kind: "cooldowns";
  readonly worker: number;
  readonly told: readonly ToldHealth[];
}

export type FromWorker =
  /** It answers requests. */
  | { readonly kind: "serving"; readonly protocol: number }
  /** Sent every few seconds. A worker that is silent hangs. */
  | { readonly kind: "alive" }
  | ({ readonly kind: "limits" } & LeasedMessage)
  /** It was asked for the metrics of all workers. */
  | { readonly kind: "scrape" }
  /** Its metrics: the answer to `measure`, and its last ones before it exits. */
  | { readonly kind: "figures"; readonly families: readonly FamilyReading[] }
  /** It is new, and asks what another worker knows of the channels. */
  | { readonly kind: "ask_rests" }
  | ToldRests;

export type FromPrimary =
  /** End the requests in flight within seconds, then exit. */
  | { readonly kind: "stop" }
  /** Accept no new connections, serve the open ones to their end, then exit. */
  | { readonly kind: "retire" }
  /** Do not wait any longer for the requests in flight. */
  | { readonly kind: "hurry" }
  /** The process of this node is dead: end what it left open. */
  | { readonly kind: "bury"; readonly nodeId: string }
  | { readonly kind: "granted"; readonly grants: readonly Grant[] }
  /** Return what you have not used of these windows. */
  | { readonly kind: "recall"; readonly names: readonly string[] }
  /** Say what you know of the channels, for this worker. */
  | { readonly kind: "tell_rests"; readonly worker: number }
  | ToldRests
  | { readonly kind: "measure" }
  /** The metrics of all workers. */
  | { readonly kind: "scraped"; readonly text: string };
