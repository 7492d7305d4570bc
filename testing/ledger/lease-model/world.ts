/** Several processes on one database: one step of a schedule, recovery, and what must always hold. */
import { Database, type Mutation } from "./database";
import { fates, Network } from "./network";
import { Process } from "./process";

export const ACCOUNTS = 2;
const SLOTS = 3;

/** What can happen, and how often. */
const weights = {
  request: 12,
  end: 8,
  "open lease": 6,
  spill: 3,
  "close idle": 2,
  beat: 3,
  replay: 2,
  decide: 16,
  answer: 16,
  late: 3,
  kill: 1,
  "lose machine": 1,
  expire: 1,
  recover: 2,
  "give up": 1,
  credit: 3,
  debit: 1,
  refund: 1,
  budget: 1,
} as const;

export const weightedKinds = Object.entries(weights).map(([value, weight]) => ({ value, weight }));

export interface Step {
  readonly kind: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const pick = <T>(list: readonly T[], choice: number): T | undefined =>
  list[choice % Math.max(list.length, 1)];

export class World {
  readonly database: Database;
  readonly network = new Network();
  /** Every process there was, by its node. A slot holds the one that runs there. */
  readonly processes = new Map<string, Process>();
  readonly #slots: Process[] = [];
  /** Nodes that counted as dead while they ran: what they knew may have been released. */
  readonly suspended = new Set<string>();
  readonly lost = new Set<string>();

  constructor(mutation: Mutation | null = null) {
    this.database = new Database(ACCOUNTS, mutation);
    for (let slot = 0; slot < SLOTS; slot++) this.#start(slot);
    for (let account = 0; account < ACCOUNTS; account++) this.database.credit(account, 1000);
  }

  #start(slot: number): void {
    const node = `n${this.processes.size}`;
    const process = new Process(node, this.database, this.network);
    this.processes.set(node, process);
    this.#slots[slot] = process;
  }

  step({ kind, a, b, c }: Step): void {
    const process = pick(this.#slots, a);
    if (!process) return;
    const account = b % ACCOUNTS;
    const ids = [...process.running.keys()];
    if (kind === "request") process.request(account, 1 + (c % 60));
    else if (kind === "end") this.#end(process, pick(ids, b), c);
    else if (kind === "open lease") process.openLease(account, 40 + (c % 200), c % 2 === 0);
    else if (kind === "spill") process.spill(pick(ids, b) ?? "");
    else if (kind === "close idle") process.closeIdle();
    else if (kind === "beat") process.beat();
    else if (kind === "replay") process.replay();
    else if (kind === "decide") this.network.decide(b, fates[c % 12] ?? "answer");
    else if (kind === "answer") this.network.answer(b);
    else if (kind === "late") this.network.commitLate(b);
    else this.#happen(kind, a, account, c);
  }

  #happen(kind: Step["kind"], a: number, account: number, c: number): void {
    const { database } = this;
    if (kind === "kill" || kind === "lose machine") this.#stop(a % SLOTS, kind === "lose machine");
    else if (kind === "expire") this.#expire(pick(this.#slots, a)?.node);
    else if (kind === "recover") this.recover();
    else if (kind === "give up") for (const node of this.lost) this.giveUp(node);
    else if (kind === "credit") database.credit(account, c % 300);
    else if (kind === "debit") database.debit(account, c % 300);
    else if (kind === "refund") database.refund(pick([...database.settlements.keys()], c) ?? "");
    else if (kind === "budget") database.setBudget(account, c % 8 === 0);
  }

  #end(process: Process, id: string | undefined, c: number): void {
    if (id === undefined) return;
    const hold = process.running.get(id)?.hold ?? 0;
    process.end(id, c % 5 === 0 ? null : c % (hold + 8), c % 3 === 0);
  }

  #stop(slot: number, isMachine: boolean): void {
    const process = this.#slots[slot];
    if (!process) return;
    process.isAlive = false;
    this.#expire(process.node);
    if (isMachine) {
      process.spool.clear();
      this.lost.add(process.node);
    }
    this.#start(slot);
  }

  #expire(node: string | undefined): void {
    const row = node === undefined ? undefined : this.database.nodes.get(node);
    if (!row || node === undefined) return;
    row.isLive = false;
    if (this.processes.get(node)?.isAlive) this.suspended.add(node);
  }

  /** What a living process does for the dead whose spool it can read. */
  recover(): void {
    const { database } = this;
    for (const [node, { isLive }] of [...database.nodes]) {
      if (isLive || this.lost.has(node)) continue;
      if (database.mutation === "return-before-replay") this.#returnLeases(node);
      for (const [id, { account, leased, end }] of this.processes.get(node)?.spool ?? [])
        if (end || leased) database.end(id, account, end?.amount ?? null, leased);
      this.#clear(node);
    }
  }

  /** An operator gives a dead node up: its spool will not come back. */
  giveUp(node: string): void {
    if (this.database.nodes.get(node)?.isLive === false) this.#clear(node);
  }

  #clear(node: string): void {
    for (const [id, open] of this.database.open)
      if (open.node === node) this.database.end(id, open.account, null, null);
    this.#returnLeases(node);
    this.database.nodes.delete(node);
  }

  #returnLeases(node: string): void {
    for (const [lease, row] of this.database.leases)
      if (row.node === node) this.database.closeLease(lease);
  }

  /** Holds of today's path that were committed after their callers had been refused. */
  #endOverdue({ node, running }: Process): void {
    for (const [id, open] of this.database.open)
      if (open.node === node && !running.has(id)) this.database.end(id, open.account, null, null);
  }

  /** Everybody ends what runs, every statement arrives, every dead node is cleared. */
  settleDown(): void {
    for (let round = 0; round < 6; round++) {
      for (const process of this.#slots) {
        process.beat();
        for (const id of process.running.keys()) process.end(id, 3, false);
        process.replay();
      }
      while (!this.network.isEmpty) {
        this.network.decide(0, "answer");
        this.network.answer(0);
        this.network.commitLate(0);
      }
      for (const process of this.#slots) {
        process.closeIdle();
        this.#endOverdue(process);
      }
      this.recover();
      for (const node of this.lost) this.giveUp(node);
    }
  }
}
