import { type EndItem, endItem, type HoldItem } from "./item";
import { releaseRow } from "./rows";
import { noOutcome } from "./verbs";

/**
 * How long a batch may still commit after its connection was lost. Longer than any outage that a
 * process survives.
 */
const LATE_COMMIT_MS_MAX = 2 * 3600_000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 30_000;
/** The oldest holds beyond this many are released only by their deadline (`overdueOperations`). */
const UNCERTAIN_HOLDS_MAX = 10_000;

interface UncertainHold {
  readonly account: string;
  readonly since: number;
  triedAt: number;
}

/**
 * Holds that were refused to the caller but may still commit: the connection was lost while they
 * were in flight. They are released again and again until a late commit is no longer possible.
 * Nothing is sent upstream for them, so no charge can follow. If this process dies, they are
 * released with its other open operations.
 */
export class UncertainHolds {
  readonly #holds = new Map<string, UncertainHold>();

  get size(): number {
    return this.#holds.size;
  }

  add(hold: Pick<HoldItem, "id" | "account">): void {
    if (this.#holds.size >= UNCERTAIN_HOLDS_MAX) {
      const oldest = this.#holds.keys().next();
      if (!oldest.done) this.#holds.delete(oldest.value);
    }
    this.#holds.set(hold.id, { account: hold.account, since: performance.now(), triedAt: 0 });
  }

  /** The releases that are due now. */
  releases(now: number): EndItem[] {
    const due: EndItem[] = [];
    for (const [id, hold] of this.#holds) {
      if (
        now - hold.triedAt <
        Math.min(RETRY_MS_MAX, Math.max(RETRY_MS_MIN, (now - hold.since) / 4))
      )
        continue;
      hold.triedAt = now;
      due.push(this.#release(id, hold, now));
    }
    return due;
  }

  #release(id: string, hold: UncertainHold, now: number): EndItem {
    const row = releaseRow({
      operationId: id,
      accountId: hold.account,
      reason: "database_unavailable",
      loss: null,
      outcome: noOutcome,
    });
    const resolve: EndItem["resolve"] = (result) => {
      if (result || now - hold.since > LATE_COMMIT_MS_MAX) this.#holds.delete(id);
    };
    return endItem(row, { resolve, reject: () => {} }, true);
  }
}
