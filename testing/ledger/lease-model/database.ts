/**
 * The database of the lease model: each method is one atomic statement under the wallet's lock, as
 * the ledger's SQL functions are.
 */

export interface Wallet {
  credits: number;
  debits: number;
  /** Held by open operations. */
  pending: number;
  /** Moved to leases of processes. */
  leased: number;
  hasBudget: boolean;
}

interface LeaseRow {
  readonly node: string;
  readonly account: number;
  points: number;
}

/** What an end of a leased operation says about its hold, in case the database has none. */
export interface LeasedHold {
  readonly lease: string;
  readonly hold: number;
}

/** `lease`: written together with its end. `open`: it had a row before. `lost`: its lease was gone. */
export type Way = "lease" | "open" | "lost";

export interface Settlement {
  readonly amount: number;
  readonly isSettled: boolean;
  readonly way: Way;
}

/** Faults that a test plants, to prove that the invariants find them. */
export type Mutation =
  | "charge-keeps-lease"
  | "close-with-holds"
  | "end-without-fence"
  | "hold-beyond-lease"
  | "late-lease-of-dead-node"
  | "return-before-replay"
  | "spill-keeps-hold"
  | "unknown-open-forgotten";

export class Database {
  readonly wallets: Wallet[];
  readonly leases = new Map<string, LeaseRow>();
  readonly open = new Map<string, { node: string; account: number; hold: number }>();
  readonly settlements = new Map<string, Settlement & { account: number; hold: number }>();
  /** Nodes, and whether their own lease as a process still runs. */
  readonly nodes = new Map<string, { isLive: boolean }>();
  readonly faults: string[] = [];

  constructor(
    accounts: number,
    readonly mutation: Mutation | null,
  ) {
    this.wallets = Array.from({ length: accounts }, () => ({
      credits: 0,
      debits: 0,
      pending: 0,
      leased: 0,
      hasBudget: false,
    }));
  }

  wallet(account: number): Wallet {
    const wallet = this.wallets[account];
    if (!wallet) throw new Error(`there is no account ${account}`);
    return wallet;
  }

  available(account: number): number {
    const { credits, debits, pending, leased } = this.wallet(account);
    return credits - debits - pending - leased;
  }

  credit(account: number, amount: number): void {
    this.wallet(account).credits += amount;
  }

  /** A clawback or an adjustment: only what is available. */
  debit(account: number, amount: number): boolean {
    if (this.available(account) < amount) return false;
    this.wallet(account).debits += amount;
    return true;
  }

  /** A refund never exceeds its charge; the model refunds a charge whole, once. */
  readonly refunded = new Set<string>();
  refund(id: string): void {
    const settlement = this.settlements.get(id);
    if (!settlement?.amount || this.refunded.has(id)) return;
    this.refunded.add(id);
    this.wallet(settlement.account).credits += settlement.amount;
  }

  /** While points are leased, a key gets no budget: what it holds in memory is not known here. */
  setBudget(account: number, hasBudget: boolean): boolean {
    if (hasBudget && this.wallet(account).leased > 0) return false;
    this.wallet(account).hasBudget = hasBudget;
    return true;
  }

  /** The points of the lease; 0 refuses it, null when the node counts as dead. */
  openLease(node: string, lease: string, account: number, wanted: number): number | null {
    if (!this.nodes.get(node)?.isLive && this.mutation !== "late-lease-of-dead-node") return null;
    const row = this.leases.get(lease);
    if (row) return row.points;
    const wallet = this.wallet(account);
    const points = Math.min(wanted, Math.floor(this.available(account) / 4));
    if (points < wanted / 2 || points < 1 || wallet.hasBudget) return 0;
    wallet.leased += points;
    this.leases.set(lease, { node, account, points });
    return points;
  }

  /** Everything that is left of the lease goes back. A second time changes nothing. */
  closeLease(lease: string): void {
    const row = this.leases.get(lease);
    if (!row) return;
    this.wallet(row.account).leased -= row.points;
    this.leases.delete(lease);
  }

  /** Today's path. Also what is open already counts as held. */
  hold(node: string, id: string, account: number, hold: number): "held" | "short" | "dead" {
    if (!this.nodes.get(node)?.isLive) return "dead";
    if (this.open.has(id) || this.settlements.has(id)) return "held";
    if (this.available(account) < hold) return "short";
    this.wallet(account).pending += hold;
    this.open.set(id, { node, account, hold });
    return "held";
  }

  /** Writes a leased hold down as an open operation; false when its lease is gone or it has ended. */
  spill(node: string, id: string, account: number, { lease, hold }: LeasedHold): boolean {
    if (this.open.has(id)) return true;
    const row = this.leases.get(lease);
    if (this.settlements.has(id) || !row) return false;
    const before = this.available(account);
    this.take(lease, this.mutation === "spill-keeps-hold" ? 0 : hold, hold);
    this.wallet(account).pending += hold;
    this.open.set(id, { node, account, hold });
    this.#checkAvailable(account, before, id);
    return true;
  }

  /** Settles, or releases with `amount` null. Null: there is no such operation. */
  end(id: string, account: number, amount: number | null, leased: LeasedHold | null) {
    const earlier = this.settlements.get(id);
    if (earlier && this.mutation !== "end-without-fence") return earlier;
    const open = this.open.get(id);
    if (open) {
      this.open.delete(id);
      this.wallet(account).pending -= open.hold;
      return this.#settle(id, account, open.hold, amount, "open");
    }
    if (!leased) return null;
    const { lease, hold } = leased;
    if (!this.leases.has(lease)) return this.#settle(id, account, hold, null, "lost");
    const charge = Math.min(amount ?? 0, hold);
    const before = this.available(account);
    this.take(lease, this.mutation === "charge-keeps-lease" ? 0 : charge, hold);
    const settlement = this.#settle(id, account, hold, amount, "lease");
    this.#checkAvailable(account, before, id);
    return settlement;
  }

  /** What a lease covers comes out of the lease alone. */
  #checkAvailable(account: number, before: number, id: string): void {
    if (this.available(account) !== before)
      this.faults.push(`${id} took available points, not those of its lease`);
  }

  #settle(id: string, account: number, hold: number, amount: number | null, way: Way) {
    if (this.settlements.has(id)) this.faults.push(`${id} was ended twice`);
    const charge = Math.min(amount ?? 0, hold);
    this.wallet(account).debits += charge;
    const settlement = { account, hold, amount: charge, isSettled: amount !== null, way };
    const stored =
      amount !== null && way === "lost" ? { ...settlement, isSettled: false } : settlement;
    this.settlements.set(id, stored);
    return stored;
  }

  /** Takes points out of a lease that has to cover the whole hold. */
  take(lease: string, points: number, hold: number): void {
    const row = this.leases.get(lease);
    if (!row) return;
    if (row.points < hold) this.faults.push(`${lease} has ${row.points} and has to cover ${hold}`);
    row.points -= points;
    this.wallet(row.account).leased -= points;
  }
}
