/** Sends rows that are due, a few at a time, as long as the process runs. */
import { pause } from "../pause";

/** What is recorded only later, when the row's place is free again. */
interface Later {
  readonly afterMs: number;
  note(): Promise<void>;
}

interface Sending<Row> {
  /** How many are sent at once. */
  readonly places: number;
  readonly tickMs: number;
  claim(count: number): Promise<Row[]>;
  send(row: Row): Promise<Later | undefined>;
  readonly onProblem: (what: "claim" | "send", error: unknown) => void;
}

export interface Sender {
  /** Resolves when what is being sent has ended. */
  close(): Promise<void>;
}

export function keepSending<Row>(deps: Sending<Row>): Sender {
  const { places, onProblem } = deps;
  let isClosed = false;
  let filling: Promise<void> | null = null;
  const underway = new Set<Promise<void>>();
  const unrecorded = new Set<Promise<void>>();
  const closing = new AbortController();

  async function send(row: Row): Promise<void> {
    const later = await deps.send(row);
    if (later === undefined) return;
    const waited = pause(later.afterMs, { signal: closing.signal, isUnref: true });
    const noted: Promise<void> = waited
      .then(() => later.note())
      .catch((error) => onProblem("send", error))
      .finally(() => unrecorded.delete(noted));
    unrecorded.add(noted);
  }
  async function fillPlaces(): Promise<void> {
    for (const row of await deps.claim(places - underway.size)) {
      const work: Promise<void> = send(row)
        .catch((error) => onProblem("send", error))
        .finally(() => underway.delete(work));
      underway.add(work);
    }
  }
  const timer = setInterval(() => {
    if (isClosed || underway.size >= places) return;
    filling ??= fillPlaces()
      .catch((error) => onProblem("claim", error))
      .finally(() => {
        filling = null;
      });
  }, deps.tickMs);
  timer.unref();
  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await filling;
      await Promise.all(underway);
      closing.abort();
      await Promise.all(unrecorded);
    },
  };
}
