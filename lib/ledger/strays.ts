/** Holds whose callers were refused while the database may have them, or may still get them: they are given back until they can no longer come. */
import { releaseText } from "./batch-text";
import type { EndItem, HoldItem } from "./item";
import { noOutcome } from "./verbs";

/** How long a batch may still commit after its connection was lost; far above the statement timeout. */
const STRAY_MS = 60_000;
const RETRY_MS = 1000;

interface Stray {
  readonly account: string;
  readonly since: number;
  triedAt: number;
}

export interface Strays {
  add(hold: HoldItem): void;
  /** The releases that are due now. */
  releases(now: number): EndItem[];
}

export function openStrays(): Strays {
  const strays = new Map<string, Stray>();

  function release(id: string, stray: Stray, now: number): EndItem {
    const text = releaseText({ operationId: id, accountId: stray.account, reason: "database_unavailable", loss: null, outcome: noOutcome });
    return {
      isHold: false,
      id,
      account: stray.account,
      text,
      bareText: () => text,
      isSettle: false,
      amount: 0n,
      isSpooled: true,
      since: now,
      timesSent: 0,
      isOver: false,
      resolve: (result) => {
        if (result || now - stray.since > STRAY_MS) strays.delete(id);
      },
      reject: () => {},
    };
  }

  return {
    add: (hold) => strays.set(hold.id, { account: hold.account, since: performance.now(), triedAt: 0 }),
    releases(now) {
      const due: EndItem[] = [];
      for (const [id, stray] of strays) {
        if (now - stray.triedAt < RETRY_MS) continue;
        stray.triedAt = now;
        due.push(release(id, stray, now));
      }
      return due;
    },
  };
}
