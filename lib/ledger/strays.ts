import { releaseText } from "./batch-text";
import { type EndItem, endItem, type HoldItem } from "./item";
import { noOutcome } from "./verbs";

/** How long a batch may still commit after its connection was lost; far above the statement timeout. */
const STRAY_MS = 60_000;
const RETRY_MS = 1000;

interface Stray {
  readonly account: string;
  readonly since: number;
  triedAt: number;
}

/** Holds whose callers were refused while the database may have them, or may still get them: given back until they can no longer come. */
export class Strays {
  readonly #strays = new Map<string, Stray>();

  add(hold: HoldItem): void {
    this.#strays.set(hold.id, { account: hold.account, since: performance.now(), triedAt: 0 });
  }

  /** The releases that are due now. */
  releases(now: number): EndItem[] {
    const due: EndItem[] = [];
    for (const [id, stray] of this.#strays) {
      if (now - stray.triedAt < RETRY_MS) continue;
      stray.triedAt = now;
      due.push(this.#release(id, stray, now));
    }
    return due;
  }

  #release(id: string, stray: Stray, now: number): EndItem {
    const text = releaseText({ operationId: id, accountId: stray.account, reason: "database_unavailable", loss: null, outcome: noOutcome });
    const resolve: EndItem["resolve"] = (result) => {
      if (result || now - stray.since > STRAY_MS) this.#strays.delete(id);
    };
    return endItem({ id, account: stray.account, text, isSpooled: true, resolve, reject: () => {} });
  }
}
