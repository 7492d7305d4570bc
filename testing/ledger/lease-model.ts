/**
 * A model of what the database does with points leases: one wallet, its holds, its leases. The SQL
 * functions must agree with it. `Fault` breaks it on purpose, to show that the test would notice.
 */
import type { LeaseAct } from "@/lib/ledger/lease-acts";

export type Fault =
  | "acts_without_numbers"
  | "take_unbounded"
  | "take_by_the_dead"
  | "whole_twice"
  | "late_beside_lease"
  | "node_keeps_lease"
  | "charge_unpaid";

interface Operation {
  readonly account: string;
  readonly node: string;
  readonly hold: bigint;
  end: { readonly outcome: "settled" | "released"; readonly amount: bigint } | null;
}

export interface EndFacts {
  readonly id: string;
  readonly account: string;
  /** The process that opened the hold. */
  readonly node: string;
  readonly key: string;
  readonly hold: bigint;
  readonly isSettle: boolean;
  readonly amount: bigint;
}

export interface ActAnswer {
  readonly granted: bigint;
  readonly limited: ReadonlySet<string>;
  readonly isGone: boolean;
}

export interface Lease {
  amount: bigint;
  act: number;
  granted: bigint;
}

export interface Wallet {
  credits: bigint;
  debits: bigint;
  pending: bigint;
  leased: bigint;
  /** Recalled: no lease is given before this moment. */
  leasesFrom: number;
}

export class LeaseModel {
  readonly wallets = new Map<string, Wallet>();
  readonly operations = new Map<string, Operation>();
  readonly leases = new Map<string, Lease>();
  readonly nodes = new Map<string, { isLive: boolean }>();
  readonly limitedKeys = new Set<string>();
  /** Every charge that was ever made, in order: the journal. */
  readonly charges: { readonly id: string; readonly account: string; readonly amount: bigint }[] =
    [];
  /** The holds that were written after they had been opened in memory. */
  readonly late = new Set<string>();
  now = 0;

  constructor(readonly fault: Fault | null = null) {}

  wallet(account: string): Wallet {
    const known = this.wallets.get(account);
    if (known) return known;
    const wallet = { credits: 0n, debits: 0n, pending: 0n, leased: 0n, leasesFrom: 0 };
    this.wallets.set(account, wallet);
    return wallet;
  }

  available(account: string): bigint {
    const { credits, debits, pending, leased } = this.wallet(account);
    return credits - debits - pending - leased;
  }

  leaseOf(account: string, node: string): Lease | undefined {
    return this.leases.get(`${account} ${node}`);
  }

  /** A hold as without leases. */
  hold(facts: EndFacts): "held" | "insufficient" | "dead" {
    if (this.operations.has(facts.id)) return "held";
    if (!this.nodes.get(facts.node)?.isLive) return "dead";
    if (this.available(facts.account) < facts.hold) return "insufficient";
    this.#openOperation(facts);
    this.wallet(facts.account).pending += facts.hold;
    return "held";
  }

  /** The end of a hold that the database has. */
  end({ id, account, isSettle, amount }: EndFacts): "done" | "before" | "absent" {
    const operation = this.operations.get(id);
    if (!operation) return "absent";
    if (operation.end) return "before";
    this.wallet(account).pending -= operation.hold;
    this.#finish(id, operation, isSettle, amount);
    return "done";
  }

  /** A hold and its end in one. */
  whole(facts: EndFacts): { readonly how: string; readonly charged: bigint } {
    const known = this.operations.get(facts.id);
    if (known && this.fault !== "whole_twice") {
      const how = this.end(facts) === "done" ? "opened" : "before";
      return { how, charged: known.end?.amount ?? 0n };
    }
    const wallet = this.wallet(facts.account);
    const operation = this.#newOperation(facts);
    const due = facts.isSettle ? smaller(facts.amount, facts.hold) : 0n;
    const lease = this.leaseOf(facts.account, facts.node);
    const isLeased = lease !== undefined && lease.amount >= due;
    const isPaid =
      this.fault === "charge_unpaid" ||
      isLeased ||
      (this.available(facts.account) >= due && !this.limitedKeys.has(facts.key));
    if (isLeased) {
      lease.amount -= due;
      wallet.leased -= due;
    }
    this.#finish(facts.id, operation, facts.isSettle && isPaid, due);
    return { how: isLeased ? "leased" : "elsewhere", charged: operation.end?.amount ?? 0n };
  }

  /** Writes a hold that was opened against a lease. False: the lease does not have it. */
  write(facts: EndFacts): boolean {
    if (this.operations.has(facts.id)) return true;
    const lease = this.leaseOf(facts.account, facts.node);
    if (!lease || lease.amount < facts.hold) return false;
    this.late.add(facts.id);
    this.#openOperation(facts);
    const wallet = this.wallet(facts.account);
    wallet.pending += facts.hold;
    if (this.fault === "late_beside_lease") return true;
    lease.amount -= facts.hold;
    wallet.leased -= facts.hold;
    return true;
  }

  act(node: string, act: LeaseAct): ActAnswer {
    const { account, kind, number } = act;
    const place = `${account} ${node}`;
    const wallet = this.wallet(account);
    let lease = this.leases.get(place);
    const limited = new Set(this.limitedKeys);
    const answer = (granted: bigint, isGone = false) => ({ granted, limited, isGone });
    if (lease && lease.act >= number && this.fault !== "acts_without_numbers")
      return answer(lease.act === number ? lease.granted : 0n);
    if (kind === "close" || (kind === "take" && act.isFirst)) {
      wallet.leased -= lease?.amount ?? 0n;
      this.leases.delete(place);
      lease = undefined;
    }
    if (kind === "close") return answer(0n);
    if (kind === "give") {
      if (!lease) return answer(0n, true);
      wallet.leased -= act.amount;
      Object.assign(lease, { amount: lease.amount - act.amount, act: number, granted: 0n });
      return answer(0n);
    }
    if (!lease && !act.isFirst) return answer(0n, true);
    const granted = this.#mayTake(node, act) ? act.amount : 0n;
    if (lease) Object.assign(lease, { amount: lease.amount + granted, act: number, granted });
    else if (granted > 0n) this.leases.set(place, { amount: granted, act: number, granted });
    wallet.leased += granted;
    return answer(granted);
  }

  #mayTake(node: string, { account, amount, rest }: LeaseAct): boolean {
    if (!this.nodes.get(node)?.isLive && this.fault !== "take_by_the_dead") return false;
    if (this.wallet(account).leasesFrom > this.now) return false;
    return this.fault === "take_unbounded" || this.available(account) >= amount + rest;
  }

  /** Wants every lease of the account back. True when there are none. */
  recall(account: string, forMs: number): boolean {
    const wallet = this.wallet(account);
    if (wallet.leased === 0n) return true;
    wallet.leasesFrom = this.now + forMs;
    return false;
  }

  /** A node ends, and its leases with it. */
  removeNode(node: string): void {
    this.nodes.delete(node);
    if (this.fault === "node_keeps_lease") return;
    for (const [place, lease] of this.leases) {
      const [account = "", of] = place.split(" ");
      if (of !== node) continue;
      this.wallet(account).leased -= lease.amount;
      this.leases.delete(place);
    }
  }

  openOf(node: string): [string, Operation][] {
    return [...this.operations].filter(([, { node: of, end }]) => of === node && !end);
  }

  #newOperation({ id, account, node, hold }: EndFacts): Operation {
    const operation: Operation = { account, node, hold, end: null };
    this.operations.set(id, operation);
    return operation;
  }

  #openOperation(facts: EndFacts): void {
    this.#newOperation(facts);
  }

  #finish(id: string, operation: Operation, isSettle: boolean, due: bigint): void {
    const amount = isSettle ? smaller(due, operation.hold) : 0n;
    operation.end = { outcome: isSettle ? "settled" : "released", amount };
    if (amount === 0n) return;
    this.wallet(operation.account).debits += amount;
    this.charges.push({ id, account: operation.account, amount });
  }
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
