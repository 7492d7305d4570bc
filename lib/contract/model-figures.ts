/** How available, reliable and fast a model was over some days. */
export interface ModelFigures {
  readonly model: string;
  /**
   * The share of requests that were answered, from 0 to 1. Requests that failed by their own
   * content, or that their client gave up, do not count. Null when there were too few.
   */
  readonly success: number | null;
  /** The share of the hours with requests in which at least half of them were answered. */
  readonly availability: number | null;
  /** The success of this hour and the one before; null when there were too few. */
  readonly recent: number | null;
  /** The median time of an answered request; null when there were too few, and beside the next one. */
  readonly usualMs: number | null;
  /** The median time to the first token; null where answers are not streamed. */
  readonly firstTokenMs: number | null;
  /** The success in each part of the time, the oldest first; null without requests. */
  readonly slots: readonly (number | null)[];
}

/** The requests of the last hour, of all models. */
export interface LastHour {
  readonly requests: number;
  /** Whether there were more: the rest is of the newest ones. */
  readonly isMore: boolean;
  /** As of a model; null when there were too few. */
  readonly success: number | null;
  /** The median time to the first token of streamed answers; null without any. */
  readonly firstTokenMs: number | null;
}
