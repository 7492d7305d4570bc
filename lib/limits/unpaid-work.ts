/**
 * The processor time of work that nobody pays for, by subject: an account. A subject may use half of
 * the time; what it used beyond that is a debt, and its further work waits until the debt is paid off.
 */

export interface UnpaidWork {
  /** Counts work that took so long and has just ended. */
  note(subject: string, milliseconds: number): void;
  /** How many milliseconds until the subject's next work may begin; zero for now. */
  waitMs(subject: string): number;
  readonly size: number;
}

export interface UnpaidBounds {
  /** The part of the processor's time that one subject may use. */
  readonly share: number;
  /** How much of a rest may be left when further work begins. */
  readonly savedMs: number;
}

const defaultUnpaidBounds: UnpaidBounds = { share: 0.5, savedMs: 100 };
/** With more subjects than this, the one that worked longest ago is no longer counted. */
const SUBJECTS_MAX = 20_000;

export function createUnpaidWork(
  { share, savedMs }: UnpaidBounds = defaultUnpaidBounds,
  clock: () => number = () => performance.now(),
): UnpaidWork {
  /** When the subject's work is paid off; the subject that worked last stands last. */
  const paidOffAt = new Map<string, number>();
  return {
    note(subject, milliseconds) {
      const startedAt = clock() - milliseconds;
      const from = Math.max(paidOffAt.get(subject) ?? startedAt, startedAt);
      paidOffAt.delete(subject);
      paidOffAt.set(subject, from + milliseconds / share);
      if (paidOffAt.size <= SUBJECTS_MAX) return;
      for (const first of paidOffAt.keys()) if (paidOffAt.delete(first)) break;
    },
    waitMs(subject) {
      const until = paidOffAt.get(subject);
      return until === undefined ? 0 : Math.max(0, until - clock() - savedMs);
    },
    get size() {
      return paidOffAt.size;
    },
  };
}
