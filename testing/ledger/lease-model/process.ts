/** A process of the lease model: its memory, its spool, and what it sends. */
import type { Database, LeasedHold, Way } from "./database";
import type { Network } from "./network";

interface Lease {
  readonly account: number;
  /** What the process may still promise or has promised; null until the database has answered. */
  points: number | null;
  state: "open" | "closing";
}

interface Running {
  readonly account: number;
  readonly hold: number;
  /** Null on today's path. */
  readonly lease: string | null;
  state: "running" | "ending";
  isSpilled: boolean;
}

/** What the spool knows of one operation: the page cache keeps it when the process is killed. */
interface Spooled {
  readonly account: number;
  readonly leased: LeasedHold | null;
  /** Absent until the end was spooled. */
  end?: { readonly amount: number | null };
}

export class Process {
  readonly leases = new Map<string, Lease>();
  readonly running = new Map<string, Running>();
  readonly spool = new Map<string, Spooled>();
  /** What the callers were told: settled at this amount, or released (null). */
  readonly told = new Map<string, number | null>();
  isAlive = true;
  #made = 0;

  constructor(
    readonly node: string,
    readonly database: Database,
    readonly network: Network,
  ) {
    database.nodes.set(node, { isLive: true });
  }

  #newName = (kind: string) => `${this.node}.${kind}${++this.#made}`;

  #send<T>(commit: () => T, answered: (answer: T) => void, unknown: () => void): void {
    this.network.send({
      commit: () => {
        const answer = commit();
        return () => answered(answer);
      },
      unknown,
      isAlive: () => this.isAlive,
    });
  }

  /** The sum of the holds that a lease covers in memory. */
  promised(lease: string): number {
    let sum = 0;
    for (const each of this.running.values())
      if (each.lease === lease && !each.isSpilled) sum += each.hold;
    return sum;
  }

  openLease(account: number, wanted: number, givesUp: boolean): void {
    const id = this.#newName("lease");
    this.leases.set(id, { account, points: null, state: "open" });
    const send = () =>
      this.#send(
        () => this.database.openLease(this.node, id, account, wanted),
        (points) => this.#opened(id, points),
        () => (givesUp ? this.leases.delete(id) : send()),
      );
    send();
  }

  #opened(id: string, points: number | null): void {
    const lease = this.leases.get(id);
    if (points) {
      if (lease && lease.points === null) lease.points = points;
    } else this.leases.delete(id);
  }

  /** A request: in memory where a lease has room, else on today's path. */
  request(account: number, hold: number): void {
    const id = this.#newName("op");
    for (const [lease, { account: of, points, state }] of this.leases) {
      if (of !== account || state !== "open" || points === null) continue;
      const isShort = points - this.promised(lease) < hold;
      if (isShort && this.database.mutation !== "hold-beyond-lease") continue;
      this.spool.set(id, { account, leased: { lease, hold } });
      this.running.set(id, { account, hold, lease, state: "running", isSpilled: false });
      return;
    }
    const send = () =>
      this.#send(
        () => this.database.hold(this.node, id, account, hold),
        (answer) => {
          if (answer === "held")
            this.running.set(id, { account, hold, lease: null, state: "running", isSpilled: true });
        },
        send,
      );
    send();
  }

  /** Writes a hold that lives long into the database. */
  spill(id: string): void {
    const each = this.running.get(id);
    if (!each?.lease || each.isSpilled) return;
    const leased = { lease: each.lease, hold: each.hold };
    this.#send(
      () => this.database.spill(this.node, id, each.account, leased),
      (isOpen) => isOpen && this.#tookHold(each),
      () => {},
    );
  }

  #tookHold(each: Running): void {
    const lease = each.lease === null ? undefined : this.leases.get(each.lease);
    if (!each.isSpilled && lease && lease.points !== null) lease.points -= each.hold;
    each.isSpilled = true;
  }

  /** Settles, or releases with `amount` null. `spools`: after a lost answer the spool gets the end. */
  end(id: string, amount: number | null, spools: boolean): void {
    const each = this.running.get(id);
    if (!each || each.state === "ending") return;
    each.state = "ending";
    const leased = each.lease === null ? null : { lease: each.lease, hold: each.hold };
    const send = () =>
      this.#send(
        () => this.database.end(id, each.account, amount, leased),
        (settlement) => settlement && this.#ended(id, settlement),
        () => {
          if (!spools) return send();
          this.spool.set(id, { account: each.account, leased, end: { amount } });
          this.told.set(id, amount === null ? null : Math.min(amount, each.hold));
        },
      );
    send();
  }

  #ended(id: string, settlement: { amount: number; isSettled: boolean; way: Way }): void {
    const each = this.running.get(id);
    if (!each) return;
    this.told.set(id, settlement.isSettled ? settlement.amount : null);
    if (settlement.way === "open") this.#tookHold(each);
    const lease = each.lease === null ? undefined : this.leases.get(each.lease);
    if (settlement.way === "lease" && lease && lease.points !== null)
      lease.points -= settlement.amount;
    this.running.delete(id);
    this.spool.delete(id);
  }

  /** Replays its own spool: the ends that it wrote there during an outage. */
  replay(): void {
    for (const [id, { account, leased, end }] of this.spool) {
      if (!end) continue;
      this.#send(
        () => this.database.end(id, account, end.amount, leased),
        (settlement) => settlement && this.#ended(id, settlement),
        () => {},
      );
    }
  }

  /** Gives back every lease that covers nothing; for good, whatever comes of the statement. */
  closeIdle(): void {
    for (const [id, lease] of this.leases) {
      const isFree = this.promised(id) === 0 || this.database.mutation === "close-with-holds";
      if (lease.points === null || !isFree) continue;
      lease.state = "closing";
      this.#send(
        () => this.database.closeLease(id),
        () => this.leases.delete(id),
        () => {},
      );
    }
  }

  /**
   * Proves that it is alive, and compares its leases with the database's: what it does not know
   * goes back, and what is gone covers nothing any more.
   */
  beat(): void {
    const { database, node } = this;
    const row = database.nodes.get(node);
    if (row) row.isLive = true;
    else database.nodes.set(node, { isLive: true });
    const known = new Set(this.leases.keys());
    for (const [id, lease] of this.leases)
      if (lease.points !== null && !database.leases.has(id)) this.leases.delete(id);
    if (database.mutation === "unknown-open-forgotten") return;
    for (const [id, { node: of }] of database.leases)
      if (of === node && !known.has(id))
        this.#send(
          () => database.closeLease(id),
          () => {},
          () => {},
        );
  }
}
