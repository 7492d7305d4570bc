/**
 * Limits the requests per minute of the pages' API, by user and by address. Reads and writes are
 * counted separately.
 */
import { RelayError } from "../failures/relay-error";

interface PageCounts {
  readonly read: number;
  readonly write: number;
}
export interface PageBounds {
  readonly user: PageCounts;
  readonly address: PageCounts;
}

/** An open page sends about ten requests a minute; an address may be a whole office. */
export const defaultPageBounds: PageBounds = {
  user: { read: 600, write: 120 },
  address: { read: 6000, write: 600 },
};

const MINUTE_MS = 60_000;
/** With more subjects than this, one of the oldest is no longer counted. */
const SUBJECTS_MAX = 20_000;

export interface PageLimiter {
  /**
   * Counts one request, as `cost` of them. Throws `page_rate_limited`; a refused request is not
   * counted at all.
   */
  take(by: keyof PageBounds, subject: string, kind: keyof PageCounts, cost?: number): void;
  /** Throws as `take` would now, and counts nothing. */
  assertRoom(by: keyof PageBounds, subject: string, kind: keyof PageCounts): void;
  readonly size: number;
}

/**
 * A subject may send a minute's requests at once, and then as many as become free. Each subject is
 * stored as one number.
 */
export function createPageLimiter(
  bounds: PageBounds = defaultPageBounds,
  clock: () => number = () => performance.now(),
): PageLimiter {
  /** When all of a subject's requests will be free again. */
  const freeAt = new Map<string, number>();
  /** When all of the subject's requests would be free again after this one; throws if it is full. */
  const freeAfter = (...[by, subject, kind, cost = 1]: Parameters<PageLimiter["take"]>) => {
    const now = clock();
    const limit = bounds[by][kind];
    const name = `${by}:${kind}:${subject}`;
    const free = Math.max(freeAt.get(name) ?? 0, now) + (cost * MINUTE_MS) / limit;
    const wait = free - now - MINUTE_MS;
    if (wait <= 0) return { name, free };
    const whose = by === "user" ? "You" : "Your network";
    throw new RelayError("page_rate_limited", {
      message: `${whose} may send ${limit} ${kind} requests per minute from these pages. Try again in a moment.`,
      fault: { name: "actions_a_minute", max: limit },
      retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
    });
  };
  return {
    assertRoom(by, subject, kind) {
      freeAfter(by, subject, kind);
    },
    take(by, subject, kind, cost) {
      const { name, free } = freeAfter(by, subject, kind, cost);
      // Keeps the subjects counted last at the end.
      freeAt.delete(name);
      if (freeAt.size >= SUBJECTS_MAX)
        for (const first of freeAt.keys()) if (freeAt.delete(first)) break;
      freeAt.set(name, free);
    },
    get size() {
      return freeAt.size;
    },
  };
}
