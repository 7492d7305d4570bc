/** How much an account uses: whether a lease is worth its act, and how large it is. */
import type { Micropoints } from "../points";

/** A lease is worth its act only to an account with this many requests a second. */
const HOLDS_A_SECOND_MIN = 4;
/** An account is rich if this many times its largest hold is left to others. */
const RICH_HOLDS = 50n;
/** A lease has room for at least this many of the largest hold. */
const LEASED_HOLDS_MIN = 8n;
export const SECOND_MS = 1000;
/** Accounts without a lease whose requests are counted. */
const DEMANDS_MAX = 1000;

const larger = (one: Micropoints, other: Micropoints) => (one > other ? one : other);

interface Demand {
  holds: number;
  opened: Micropoints;
  largest: Micropoints;
  since: number;
  /** No lease before: the database refused one, or wanted it back. */
  notBefore: number;
}

/** What a lease should have, and what must be left to everybody else. */
export interface Wanted {
  readonly amount: Micropoints;
  readonly rest: Micropoints;
}

const wantedOf = (opened: Micropoints, largest: Micropoints): Wanted => ({
  amount: larger(opened, LEASED_HOLDS_MIN * largest),
  rest: RICH_HOLDS * largest,
});

/** The accounts without a lease that were used lately. */
export class Demands {
  readonly #demands = new Map<string, Demand>();

  count(account: string, amount: Micropoints, now: number): void {
    const demand = this.#demands.get(account) ?? this.#add(account, now);
    if (now < demand.notBefore) return;
    if (now - demand.since > SECOND_MS) {
      demand.holds = 0;
      demand.opened = 0n;
      demand.largest = amount;
      demand.since = now;
    }
    demand.holds++;
    demand.opened += amount;
    demand.largest = larger(demand.largest, amount);
  }

  /** No lease of the account before `until`. */
  pause(account: string, until: number, now: number): void {
    const demand = this.#demands.get(account) ?? this.#add(account, now);
    demand.notBefore = until;
    demand.holds = 0;
    demand.opened = 0n;
  }

  /** The accounts to which a lease is worth its act, at most `most`; they are forgotten here. */
  takeWorthy(most: number, now: number): { readonly account: string; readonly wanted: Wanted }[] {
    const worthy: { account: string; wanted: Wanted }[] = [];
    for (const [account, { holds, opened, largest, since, notBefore }] of this.#demands) {
      const isOld = now - since > 2 * SECOND_MS && now > notBefore;
      const isWorthy = holds >= HOLDS_A_SECOND_MIN && now >= notBefore && worthy.length < most;
      if (isOld || isWorthy) this.#demands.delete(account);
      if (!isOld && isWorthy) worthy.push({ account, wanted: wantedOf(opened, largest) });
    }
    return worthy;
  }

  #add(account: string, now: number): Demand {
    if (this.#demands.size >= DEMANDS_MAX) {
      const oldest = this.#demands.keys().next();
      if (!oldest.done) this.#demands.delete(oldest.value);
    }
    const demand = { holds: 0, opened: 0n, largest: 1n, since: now, notBefore: 0 };
    this.#demands.set(account, demand);
    return demand;
  }
}

/** How an account with a lease uses it: what it opened in this second, and in the one before. */
export class LeaseUse {
  #opened = 0n;
  #openedBefore = 0n;
  #largest = 1n;
  #since: number;
  #usedAt: number;

  constructor(now: number) {
    this.#since = now;
    this.#usedAt = now;
  }

  count(amount: Micropoints, now: number): void {
    this.#usedAt = now;
    if (now - this.#since > SECOND_MS) {
      this.#openedBefore = now - this.#since > 2 * SECOND_MS ? 0n : this.#opened;
      this.#opened = 0n;
      this.#largest = amount;
      this.#since = now;
    }
    this.#opened += amount;
    this.#largest = larger(this.#largest, amount);
  }

  isIdle(now: number): boolean {
    return now - this.#usedAt > SECOND_MS;
  }

  wanted(): Wanted {
    return wantedOf(larger(this.#opened, this.#openedBefore), this.#largest);
  }
}
