import { releaseText } from "./batch-text";
import { type EndItem, endItem, type HoldItem } from "./item";
import { noOutcome } from "./verbs";

/**
 * How long a batch may still commit after its connection was lost. Longer than any outage that a
 * process survives.
 */
const STRAY_MS = 2 * 3600_000;
const RETRY_MS_MIN = 1000;
const RETRY_MS_MAX = 30_000;
/** The oldest holds beyond this many are released only by their deadline (`overdueOperations`). */
const STRAYS_MAX = 10_000;

interface Stray {
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
export class Strays {
  readonly #strays = new Map<string, Stray>();

  get size(): number {
    return this.#strays.size;
  }

  add(hold: Pick<HoldItem, "id" | "account">): void {
    if (this.#strays.size >= STRAYS_MAX) {
      const oldest = this.#strays.keys().next();
      if (!oldest.done) this.#strays.delete(oldest.value);
    }
    this.#strays.set(hold.id, { account: hold.account, since: performance.now(), triedAt: 0 });
  }

  /** The releases that are due now. */
  releases(now: number): EndItem[] {
    const due: EndItem[] = [];
    for (const [id, stray] of this.#strays) {
      if (
        now - stray.triedAt <
        Math.min(RETRY_MS_MAX, Math.max(RETRY_MS_MIN, (now - stray.since) / 4))
      )
        continue;
      stray.triedAt = now;
      due.push(this.#release(id, stray, now));
    }
    return due;
  }

  #release(id: string, stray: Stray, now: number): EndItem {
    const text = releaseText({
      operationId: id,
      accountId: stray.account,
      reason: "database_unavailable",
      loss: null,
      outcome: noOutcome,
    });
    const resolve: EndItem["resolve"] = (result) => {
      if (result || now - stray.since > STRAY_MS) this.#strays.delete(id);
    };
    return endItem({
      id,
      account: stray.account,
      text,
      isSpooled: true,
      resolve,
      reject: () => {},
    });
  }
}
