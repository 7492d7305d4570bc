/** Joins the metrics of all workers, in the primary process. */
import { type FamilyReading, joinReadings, textOf, totalsOf } from "@/lib/cluster/joined-metrics";
import type { Member } from "./member";

/** A worker that has not answered by then is left out; its totals are as it last reported them. */
const PATIENCE_MS = 2000;

interface Measuring {
  readonly missing: Set<Member>;
  readonly done: () => void;
}

export interface ClusterMetrics {
  /** Answers the worker with the text of all; its request is one of those that share a reading. */
  scrape(asker: Member): void;
  hear(member: Member, families: readonly FamilyReading[]): void;
  /** Keeps the totals of a worker that is gone, so that no sum ever falls. */
  forget(member: Member): void;
}

export function openClusterMetrics(
  members: () => readonly Member[],
  own: () => readonly FamilyReading[],
): ClusterMetrics {
  const last = new Map<Member, readonly FamilyReading[]>();
  let past: readonly FamilyReading[] = [];
  let measuring: Measuring | null = null;
  let reading: Promise<string> | null = null;

  async function read(): Promise<string> {
    const asked = members();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      measuring = { missing: new Set(asked), done };
      for (const member of asked) member.tell({ kind: "measure" });
      if (asked.length === 0) done();
    });
    const silent: ReadonlySet<Member> = measuring?.missing ?? new Set();
    measuring = null;
    const present = [...last].map(([member, families]) =>
      silent.has(member) ? totalsOf(families) : families,
    );
    return textOf(joinReadings([...present, past, own()]));
  }

  function noLongerMissing(member: Member): void {
    if (measuring?.missing.delete(member) && measuring.missing.size === 0) measuring.done();
  }

  return {
    scrape(asker) {
      reading ??= read().finally(() => {
        reading = null;
      });
      void reading.then((text) => asker.tell({ kind: "scraped", text }));
    },
    hear(member, families) {
      last.set(member, families);
      noLongerMissing(member);
    },
    forget(member) {
      past = joinReadings([past, totalsOf(last.get(member) ?? [])]);
      last.delete(member);
      noLongerMissing(member);
    },
  };
}
