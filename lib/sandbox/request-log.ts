/**
 * Records what the sandbox delivered and would bill, so that tests can compare it with the ledger.
 */
export interface RequestLogEntry {
  readonly id: string;
  readonly isStream: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly capTokens: number | null;
  /** True once the complete answer with its usage was written. */
  isDelivered: boolean;
}

const ENTRIES_MAX = 10_000;

export interface RequestLog {
  readonly entries: readonly RequestLogEntry[];
  /** The number of requests so far, including those that were dropped from the list. */
  readonly seen: number;
  add(entry: RequestLogEntry): void;
}

export function createRequestLog(): RequestLog {
  const entries: RequestLogEntry[] = [];
  let seen = 0;
  return {
    entries,
    get seen() {
      return seen;
    },
    add(entry) {
      seen++;
      entries.push(entry);
      if (entries.length > ENTRIES_MAX) entries.splice(0, ENTRIES_MAX / 10);
    },
  };
}
