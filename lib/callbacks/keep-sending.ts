/** Sends rows that are due, a few at a time, as long as the process runs. */
import { pause } from "../timing/pause";
import { startWorker, type WakeableWorker } from "../timing/worker";

/** What is recorded only later, when the row's place is free again. */
interface Later {
  readonly afterMs: number;
  note(): Promise<void>;
}

interface Sending<Row> {
  /** How many are sent at once. */
  readonly places: number;
  /** The pause while nothing is due. */
  readonly tickMs: number;
  claim(count: number): Promise<Row[]>;
  send(row: Row): Promise<Later | undefined>;
  readonly onProblem: (what: "claim" | "send", error: unknown) => void;
}

/** It is closed when what is being sent has ended. It looks for due rows at once when it is roused. */
export type Sender = WakeableWorker;

export function keepSending<Row>(deps: Sending<Row>): Sender {
  const { places, onProblem } = deps;
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
      .finally(() => {
        unrecorded.delete(noted);
        rounds.wake();
      });
    unrecorded.add(noted);
  }
  const rounds = startWorker({
    turn: async () => {
      const rows = underway.size < places ? await deps.claim(places - underway.size) : [];
      for (const row of rows) {
        const work: Promise<void> = send(row)
          .catch((error) => onProblem("send", error))
          .finally(() => {
            underway.delete(work);
            // There is a place for another row, and a later one of the same task may be due.
            rounds.wake();
          });
        underway.add(work);
      }
      return deps.tickMs;
    },
    afterFailureMs: deps.tickMs,
    onProblem: (error) => onProblem("claim", error),
  });
  return {
    wake: rounds.wake,
    close: async () => {
      await rounds.close();
      await Promise.all(underway);
      closing.abort();
      await Promise.all(unrecorded);
    },
  };
}
