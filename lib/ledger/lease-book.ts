/**
 * What one process knows of its points leases: the points that it may promise without asking the
 * database, and the holds that it opened against them. No clock, no database: `lease-book.test.ts`
 * drives several of them against a model of the database, with lost, late and doubled messages.
 *
 * One rule keeps every promise covered: a lease in the book is never larger than its row in the
 * database. Points are added to the book when the database says that they were taken, and taken off
 * it before the database is asked to take them back. Where an answer leaves a doubt, the book
 * assumes the smaller figure and the lease is closed: closing returns what the row has, whatever it
 * is.
 */
import type { Micropoints } from "../points";
import type { Lease, LeaseAct, LeasedEnd, MemoryHold } from "./lease-acts";
import { Demands, LeaseUse, SECOND_MS, type Wanted } from "./lease-demand";

const REFUSED_MS = 5000;
/** As long as the database refuses leases of an account that was recalled. */
export const RECALLED_MS = 10_000;
/** Further accounts take the path without a lease. */
const LEASES_MAX = 1000;
/** Further holds are asked of the database. */
const HOLDS_MAX = 10_000;
/** A hold that is open for longer is written to the database, so that people can see it. */
const WRITTEN_AFTER_MS = SECOND_MS;

export class LeaseBook {
  readonly #leases = new Map<string, Lease>();
  readonly #demands = new Demands();
  readonly #holds = new Map<string, MemoryHold>();
  #acts = 0;

  get size(): number {
    return this.#leases.size;
  }

  /** The holds in memory. */
  get holds(): number {
    return this.#holds.size;
  }

  has(id: string): boolean {
    return this.#holds.has(id);
  }

  /** What the account's lease has and holds; null without one. */
  find(account: string): { readonly leased: Micropoints; readonly held: Micropoints } | null {
    return this.#leases.get(account) ?? null;
  }

  /** Opens a hold in memory, or answers null: then it must be asked of the database. */
  open(
    id: string,
    account: string,
    key: string | null,
    amount: Micropoints,
    now: number,
  ): MemoryHold | null {
    const lease = this.#leases.get(account);
    if (!lease) {
      this.#demands.count(account, amount, now);
      return null;
    }
    lease.use.count(amount, now);
    if (lease.isClosing || amount < 1n || lease.leased - lease.held < amount) return null;
    if (this.#holds.size >= HOLDS_MAX) return null;
    if ((key !== null && lease.limitedKeys.has(key)) || this.#holds.has(id)) return null;
    lease.held += amount;
    const hold = { id, account, amount, openedAt: now, isWriting: false, isEnding: false };
    this.#holds.set(id, hold);
    return hold;
  }

  /** Takes a hold back that nobody was told of. */
  cancel(id: string): void {
    const hold = this.#holds.get(id);
    if (hold) this.#settle(hold, 0n);
  }

  /** The hold that ends now, or null: then its end is that of any hold in the database. */
  ending(id: string): MemoryHold | null {
    const hold = this.#holds.get(id);
    if (!hold || hold.isEnding) return null;
    hold.isEnding = true;
    return hold;
  }

  /** The database has the end. `charged`: what the lease paid, if it paid. */
  ended(id: string, how: LeasedEnd, charged: Micropoints): void {
    const hold = this.#holds.get(id);
    if (!hold) return;
    this.#settle(hold, how === "leased" ? charged : how === "elsewhere" ? 0n : hold.amount);
    // What was ended before may have been paid by the lease, or have left it as a whole.
    if (how === "before" || how === "elsewhere") this.#close(hold.account);
  }

  /** The end is on disk, or the database refused it: its lease stays as it is until all are in. */
  spooled(id: string, isOnDisk: boolean): void {
    const hold = this.#holds.get(id);
    if (!hold) return;
    const lease = this.#leases.get(hold.account);
    if (lease && isOnDisk) lease.spooled++;
    this.#settle(hold, hold.amount);
    this.#close(hold.account);
  }

  /** Everything that this process had on disk is in the database. */
  replayed(): void {
    for (const lease of this.#leases.values()) lease.spooled = 0;
  }

  /** The holds to be written to the database now. */
  holdsToWrite(now: number): MemoryHold[] {
    const due: MemoryHold[] = [];
    for (const hold of this.#holds.values()) {
      if (hold.isWriting || hold.isEnding) continue;
      const isDue = now - hold.openedAt >= WRITTEN_AFTER_MS;
      if (!isDue && !this.#leases.get(hold.account)?.isClosing) continue;
      hold.isWriting = true;
      due.push(hold);
    }
    return due;
  }

  /** `isThere`: the database has it as an open hold, or has its end. */
  written(id: string, isThere: boolean): void {
    const hold = this.#holds.get(id);
    if (!hold) return;
    if (!isThere) this.#close(hold.account);
    // Its end is under way, and its answer will say who paid.
    else if (!hold.isEnding) this.#settle(hold, hold.amount);
  }

  /** The acts to be sent now. An account has at most one without an answer. */
  acts(now: number): LeaseAct[] {
    const due: LeaseAct[] = [];
    for (const [account, lease] of this.#leases) {
      if (lease.act) continue;
      const act = this.#actOf(account, lease, now);
      if (!act) continue;
      lease.act = act;
      due.push(act);
    }
    for (const { account, wanted } of this.#demands.takeWorthy(LEASES_MAX - this.#leases.size, now))
      due.push(this.#first(account, wanted, now));
    return due;
  }

  /** `granted`: of a take, what the lease gained; of others 0. */
  acted(act: LeaseAct, granted: Micropoints, limitedKeys: ReadonlySet<string>, now: number): void {
    const lease = this.#leases.get(act.account);
    if (lease?.act?.number !== act.number) return;
    lease.act = null;
    lease.answered = act.number;
    lease.leased += granted;
    if (act.kind === "close") this.#leases.delete(act.account);
    if (act.kind !== "take") return;
    if (granted > 0n) lease.limitedKeys = limitedKeys;
    else if (act.isFirst) {
      this.#leases.delete(act.account);
      this.#demands.pause(act.account, now + REFUSED_MS, now);
    } else lease.takeAfter = now + REFUSED_MS;
  }

  /** The database has no such lease any more: this process counted as dead. */
  gone(account: string, now: number): void {
    const lease = this.#leases.get(account);
    if (!lease) return;
    lease.act = null;
    lease.leased = lease.held;
    this.recall(account, now);
  }

  /** Somebody was refused for want of points, or a limit is to be set: all of it goes back. */
  recall(account: string, now: number): void {
    this.#demands.pause(account, now + RECALLED_MS, now);
    this.#close(account);
  }

  /** Gives every lease back. */
  recallAll(now: number): void {
    for (const account of [...this.#leases.keys()]) this.recall(account, now);
  }

  /** Where the leases are, to be compared with the rows that are read from now on. */
  marks(): ReadonlyMap<string, number> {
    const marks = new Map<string, number>();
    for (const [account, lease] of this.#leases) if (!lease.act) marks.set(account, lease.answered);
    return marks;
  }

  /**
   * Compares the book with this process's rows in the database, by account with the number of the
   * last act. A lease without its row was taken from this process, which counted as dead: it
   * promises no more. A row without a lease comes from a message that arrived late: it is closed.
   */
  compare(
    marks: ReadonlyMap<string, number>,
    rows: ReadonlyMap<string, number>,
    now: number,
  ): LeaseAct[] {
    for (const [account, answered] of marks) {
      const lease = this.#leases.get(account);
      if (!lease || lease.act || lease.answered !== answered) continue;
      if (rows.get(account) !== answered) this.gone(account, now);
    }
    const strays: LeaseAct[] = [];
    for (const account of rows.keys()) {
      if (this.#leases.has(account) || this.#leases.size >= LEASES_MAX) continue;
      const lease = this.#newLease(now);
      lease.isClosing = true;
      lease.act = this.#act(account, "close", 0n);
      this.#leases.set(account, lease);
      strays.push(lease.act);
    }
    return strays;
  }

  #settle(hold: MemoryHold, paid: Micropoints): void {
    this.#holds.delete(hold.id);
    const lease = this.#leases.get(hold.account);
    if (!lease) return;
    lease.held -= hold.amount;
    lease.leased -= paid;
  }

  #close(account: string): void {
    const lease = this.#leases.get(account);
    if (lease) lease.isClosing = true;
  }

  #act(
    account: string,
    kind: LeaseAct["kind"],
    amount: Micropoints,
    rest = 0n,
    isFirst = false,
  ): LeaseAct {
    return { account, number: ++this.#acts, kind, amount, rest, isFirst };
  }

  #actOf(account: string, lease: Lease, now: number): LeaseAct | null {
    const free = lease.leased - lease.held;
    if (lease.isClosing) {
      if (lease.held > 0n || lease.spooled > 0) return this.#give(account, lease, free);
      lease.leased = 0n;
      return this.#act(account, "close", 0n);
    }
    if (lease.use.isIdle(now)) {
      lease.isClosing = true;
      return this.#actOf(account, lease, now);
    }
    const { amount, rest } = lease.use.wanted();
    if (free * 2n < amount && now >= lease.takeAfter)
      return this.#act(account, "take", amount, rest);
    return free > 4n * amount ? this.#give(account, lease, free - 2n * amount) : null;
  }

  #give(account: string, lease: Lease, amount: Micropoints): LeaseAct | null {
    if (amount < 1n) return null;
    lease.leased -= amount;
    return this.#act(account, "give", amount);
  }

  #first(account: string, { amount, rest }: Wanted, now: number): LeaseAct {
    const lease = this.#newLease(now);
    this.#leases.set(account, lease);
    lease.act = this.#act(account, "take", amount, rest, true);
    return lease.act;
  }

  #newLease(now: number): Lease {
    return {
      leased: 0n,
      held: 0n,
      act: null,
      answered: 0,
      isClosing: false,
      spooled: 0,
      limitedKeys: new Set(),
      use: new LeaseUse(now),
      takeAfter: now,
    };
  }
}
