import { isLasting, type Refusable, type Refused } from "../../contract/channel-profile";
import type { Channel, UpstreamFailure } from "../../upstream/provider";

/** Each is a refusal that cost nothing. */
const TRIES_MAX = 8;
/** The least output worth asking for again. */
const CAP_MIN = 256;

/** What the upstream of the current channel refused of a request while it runs. */
export class PlainerTries {
  readonly #refused = new Set<Refusable>();
  #capMax = Number.POSITIVE_INFINITY;
  #isCapOfModel = false;
  #count = 0;

  get refused(): readonly Refusable[] {
    return [...this.#refused];
  }

  get capMax(): number {
    return this.#capMax;
  }

  /**
   * What holds for other requests too: a cap of the model, and not what was left of its window, nor
   * thinking that another account has signed.
   */
  get lasting(): Refused | null {
    const cap = this.#isCapOfModel ? this.#capMax : null;
    const unread = this.refused.filter(isLasting);
    return unread.length === 0 && cap === null ? null : { unread, cap };
  }

  /** False when the refusal says nothing new that a plainer form could leave out. */
  take({ code, unread = [], capMax }: UpstreamFailure, capSent: number): boolean {
    const known = this.#refused.size;
    for (const name of unread) this.#refused.add(name);
    const isLower = capMax !== undefined && capMax < capSent && capMax >= CAP_MIN;
    // The window is the same the next time, so a cap is lowered once.
    if (isLower && this.#capMax === Number.POSITIVE_INFINITY) {
      this.#capMax = capMax;
      this.#isCapOfModel = code === "max_tokens_too_large";
    } else if (this.#refused.size === known) return false;
    return ++this.#count <= TRIES_MAX;
  }
}

/** The channel as it is after a refusal. Without `stream_options` a stream may have no usage to bill. */
export function withoutRefused(channel: Channel, refused: readonly Refusable[]): Channel {
  const { profile } = channel;
  return refused.includes("stream_options") && profile?.plainUsage !== false
    ? { ...channel, profile: { ...profile, streamUsage: false } }
    : channel;
}
