/** Requests a minute of the pages' own API, by user and by address, reads and writes apart. */
import { RelayError } from "../errors";

export interface PageCounts {
  readonly read: number;
  readonly write: number;
}
export interface PageBounds {
  readonly user: PageCounts;
  readonly address: PageCounts;
}

/** A page that stays open asks about ten times a minute; an address may be a whole office. */
export const defaultPageBounds: PageBounds = { user: { read: 600, write: 120 }, address: { read: 6000, write: 600 } };

const MINUTE_MS = 60_000;
/** Who is not counted any more when too many others are: one of those counted first. */
const SUBJECTS_MAX = 20_000;

export interface PageLimiter {
  /** Counts one request. Throws `page_rate_limited`, and then counts nothing. */
  take(by: keyof PageBounds, subject: string, kind: keyof PageCounts): void;
  readonly size: number;
}

/** A subject may send its minute's requests at once, then as many as come free again; it is kept as one number. */
export function createPageLimiter(bounds: PageBounds = defaultPageBounds, clock: () => number = () => performance.now()): PageLimiter {
  /** When all of a subject's requests will be free again. */
  const freeAt = new Map<string, number>();
  return {
    take(by, subject, kind) {
      const now = clock();
      const limit = bounds[by][kind];
      const name = `${by}:${kind}:${subject}`;
      const free = Math.max(freeAt.get(name) ?? 0, now) + MINUTE_MS / limit;
      const wait = free - now - MINUTE_MS;
      if (wait > 0) {
        const whose = by === "user" ? "You" : "Your network";
        const what = kind === "read" ? "load" : "change";
        throw new RelayError("page_rate_limited", {
          message: `${whose} may ${what} ${limit} things a minute on these pages. Wait a moment, then try again.`,
          retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
        });
      }
      // Those counted last stand last.
      freeAt.delete(name);
      if (freeAt.size >= SUBJECTS_MAX) for (const first of freeAt.keys()) if (freeAt.delete(first)) break;
      freeAt.set(name, free);
    },
    get size() {
      return freeAt.size;
    },
  };
}
