/** The words of points leases: what a process asks of the database, and what it knows. */
import type { Micropoints } from "../points";
import type { LeaseUse } from "./lease-demand";

/** A change of a lease. Numbers grow, so the database ignores one that arrives late. */
export interface LeaseAct {
  readonly account: string;
  readonly number: number;
  readonly kind: "take" | "give" | "close";
  /** What to take or give; 0 of a close. */
  readonly amount: Micropoints;
  /** Of a take: what must be left to everybody else. */
  readonly rest: Micropoints;
  /** Of a take: the book knows of no lease, so what an earlier row has left goes back first. */
  readonly isFirst: boolean;
}

/** A hold that is open in memory, and not or not yet known to be in the database. */
export interface MemoryHold {
  readonly id: string;
  readonly account: string;
  readonly amount: Micropoints;
  readonly openedAt: number;
  /** Whether it is being written to the database, as a hold that outlives a moment. */
  isWriting: boolean;
  /** Set when its end was sent. */
  isEnding: boolean;
}

/**
 * How the database answered the end of such a hold. `leased`: charged from the lease. `elsewhere`:
 * charged from what was available, or not at all, for the lease was gone. `opened`: the hold had
 * been written, so the lease had paid for all of it. `before`: it had ended before.
 */
export type LeasedEnd = "leased" | "elsewhere" | "opened" | "before";

/** A lease, as the book of its process has it. */
export interface Lease {
  /** What may be promised, with what is promised already. */
  leased: Micropoints;
  /** The holds in memory. At most `leased`. */
  held: Micropoints;
  /** Set while an act has no answer. */
  act: LeaseAct | null;
  /** The number of the last act that was answered. */
  answered: number;
  /** No more holds: what is free goes back at once, and the rest when the last hold ended. */
  isClosing: boolean;
  /** Ends that are on disk and not yet in the database. */
  spooled: number;
  /** Keys with limits of their own, whose holds the database must judge. */
  limitedKeys: ReadonlySet<string>;
  readonly use: LeaseUse;
  /** The database refused a larger lease until then. */
  takeAfter: number;
}
