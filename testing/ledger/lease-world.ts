/**
 * Several processes with their lease books, a model of the database, and a network between them
 * that loses, delays and doubles messages. `check` throws as soon as a point is promised twice.
 */
import type { LeaseAct } from "@/lib/ledger/lease-acts";
import { type LeaseBook, RECALLED_MS } from "@/lib/ledger/lease-book";
import type { EndFacts, LeaseModel } from "./lease-model";

type Message =
  | { readonly kind: "hold" | "end" | "whole" | "late"; readonly facts: EndFacts }
  | { readonly kind: "act"; readonly act: LeaseAct };

interface Request {
  readonly facts: EndFacts;
  /** What its caller was told. */
  told: { readonly charged: bigint } | null;
  /** Opened in memory, in the database, or refused. */
  state: "asked" | "memory" | "database" | "refused";
  end: { readonly isSettle: boolean; readonly amount: bigint } | null;
}

export class Process {
  readonly requests = new Map<string, Request>();
  /** Sent, or to be sent again, until it is answered. */
  readonly outbox: Message[] = [];
  /** Survives the process. */
  readonly log = new Map<string, EndFacts>();
  spool: EndFacts[] = [];
  state: "alive" | "dead" | "lost" = "alive";
  /** Accounts whose lease was taken away while this process lived: it may not know yet. */
  readonly revoked = new Set<string>();
  /** Once it counted as dead, others may have ended its requests. */
  wasRevoked = false;

  constructor(
    readonly node: string,
    readonly book: LeaseBook,
  ) {}
}

const THREE = 3;

export class World {
  readonly processes: Process[] = [];
  /** Copies that may still arrive. */
  readonly stale: { readonly node: string; readonly message: Message }[] = [];
  readonly accounts = ["rich", "other"];
  now = 0;
  /** How often leases were wanted back that somebody had. */
  recalled = 0;
  #ids = 0;
  #nodes = 0;

  constructor(
    readonly database: LeaseModel,
    readonly newBook: () => LeaseBook,
    credits: bigint,
  ) {
    for (const account of this.accounts) database.wallet(account).credits = credits;
    for (let n = 0; n < THREE; n++) this.start();
  }

  start(): void {
    const node = `node${++this.#nodes}`;
    this.database.nodes.set(node, { isLive: true });
    this.processes.push(new Process(node, this.newBook()));
  }

  alive(n: number): Process {
    const alive = this.processes.filter(({ state }) => state === "alive");
    return alive[n % alive.length] as Process;
  }

  pass(ms: number): void {
    this.now += ms;
    this.database.now = this.now;
  }

  open(process: Process, account: string, key: string, hold: bigint): void {
    const id = `${account}-${++this.#ids}`;
    const facts = { id, account, node: process.node, key, hold, isSettle: false, amount: 0n };
    const opened = process.book.open(id, account, key, hold, this.now);
    const state = opened ? "memory" : "asked";
    process.requests.set(id, { facts, told: null, state, end: null });
    if (opened) process.log.set(id, facts);
    else process.outbox.push({ kind: "hold", facts });
  }

  end(process: Process, n: number, isSettle: boolean, part: bigint): void {
    const open = [...process.requests.values()].filter(
      ({ end, state }) => !end && (state === "memory" || state === "database"),
    );
    const request = open[n % Math.max(1, open.length)];
    if (!request) return;
    const { id, hold } = request.facts;
    // Sometimes more than the hold.
    request.end = { isSettle, amount: (hold * part) / 8n };
    const facts = { ...request.facts, ...request.end };
    process.outbox.push({ kind: process.book.ending(id) ? "whole" : "end", facts });
  }

  /** What a process does by itself, all the time. */
  tick(process: Process): void {
    for (const act of process.book.acts(this.now)) process.outbox.push({ kind: "act", act });
    for (const { id } of process.book.holdsToWrite(this.now)) {
      const facts = process.requests.get(id)?.facts;
      if (facts) process.outbox.push({ kind: "late", facts });
    }
  }

  /** Sends one message. `answer`: it arrives, or the message gets lost, or its answer. */
  send(process: Process, n: number, fate: "answered" | "unanswered" | "lost" | "doubled"): void {
    if (process.outbox.length === 0) return;
    const at = n % process.outbox.length;
    const message = process.outbox[at] as Message;
    if (fate !== "answered") this.stale.push({ node: process.node, message });
    if (fate === "lost") return;
    const answer = this.#execute(process.node, message);
    if (fate === "unanswered") return;
    process.outbox.splice(at, 1);
    this.#answer(process, message, answer);
  }

  /** Everything that a process sent is answered. */
  flush(process: Process): void {
    for (let n = process.outbox.length; n > 0; n--) this.send(process, 0, "answered");
  }

  /** A copy arrives that everybody has given up. */
  arriveLate(n: number): void {
    if (this.stale.length === 0) return;
    const [copy] = this.stale.splice(n % this.stale.length, 1);
    if (copy) this.#execute(copy.node, copy.message);
  }

  #execute(node: string, message: Message): Answer {
    if (message.kind === "act") {
      const { granted, limited, isGone } = this.database.act(node, message.act);
      return { how: isGone ? "gone" : "acted", charged: granted, limited };
    }
    const { facts } = message;
    if (message.kind === "whole") return this.database.whole(facts);
    if (message.kind === "late") return { how: String(this.database.write(facts)), charged: 0n };
    if (message.kind === "hold") return { how: this.database.hold(facts), charged: 0n };
    const how = this.database.end(facts);
    return { how, charged: this.database.operations.get(facts.id)?.end?.amount ?? 0n };
  }

  #answer(process: Process, message: Message, { how, charged, limited }: Answer): void {
    const { book } = process;
    if (message.kind === "act") {
      if (how === "gone") book.gone(message.act.account, this.now);
      else book.acted(message.act, charged, limited ?? new Set(), this.now);
      return;
    }
    const request = process.requests.get(message.facts.id);
    if (!request) return;
    if (message.kind === "hold") {
      // A process that counts as dead renews its own lease first.
      if (how === "dead") process.outbox.push(message);
      else request.state = how === "held" ? "database" : "refused";
      if (how === "insufficient") this.#refuse(request.facts);
    } else if (message.kind === "late") {
      book.written(request.facts.id, how === "true");
      if (how === "true" && !request.end) request.state = "database";
    } else {
      if (message.kind === "whole")
        book.ended(request.facts.id, how as "leased" | "elsewhere" | "opened" | "before", charged);
      request.told ??= { charged };
    }
  }

  /** The path without leases has its own test, so no copy of such a hold arrives any more. */
  #refuse({ id, account }: EndFacts): void {
    const isOther = ({ message }: { message: Message }) =>
      message.kind === "act" || message.facts.id !== id;
    this.stale.splice(0, this.stale.length, ...this.stale.filter(isOther));
    this.recall(account);
  }

  /** The database is away for long: the ends of a process go to its disk. */
  spoolEnds(process: Process): void {
    for (const message of process.outbox.splice(0)) {
      if (message.kind !== "end" && message.kind !== "whole") {
        process.outbox.push(message);
        continue;
      }
      this.stale.push({ node: process.node, message });
      process.spool.push(message.facts);
      const request = process.requests.get(message.facts.id);
      if (request) request.told ??= { charged: -1n };
      if (message.kind === "whole") process.book.spooled(message.facts.id, true);
    }
  }

  #replay(process: Process): void {
    for (const facts of process.spool.splice(0)) this.database.whole(facts);
  }

  beat(process: Process): void {
    this.database.nodes.set(process.node, { isLive: true });
    const marks = process.book.marks();
    this.#replay(process);
    process.book.replayed();
    const rows = new Map<string, number>();
    for (const account of this.accounts) {
      const lease = this.database.leaseOf(account, process.node);
      if (lease) rows.set(account, lease.act);
    }
    for (const act of process.book.compare(marks, rows, this.now))
      process.outbox.push({ kind: "act", act });
    for (const account of process.revoked)
      if (!process.book.find(account)) process.revoked.delete(account);
  }

  crash(process: Process, isMachine: boolean): void {
    process.state = isMachine ? "lost" : "dead";
    for (const message of process.outbox) this.stale.push({ node: process.node, message });
    if (isMachine) process.log.clear();
    this.expire(process);
    this.start();
  }

  /** Its lease as a node ran out: it died, or it was suspended for long. */
  expire(process: Process): void {
    this.database.nodes.set(process.node, { isLive: false });
  }

  /** Ends what dead processes left: of the same disk, or (`isGivenUp`) of a lost one. */
  sweep(isGivenUp: boolean): void {
    for (const process of this.processes) {
      if (this.database.nodes.get(process.node)?.isLive !== false) continue;
      if (process.state === "lost" && !isGivenUp) continue;
      if (process.state !== "lost") {
        this.#replay(process);
        for (const facts of process.log.values())
          this.database.whole({ ...facts, isSettle: false, amount: 0n });
      }
      for (const [id, { account, node, hold }] of this.database.openOf(process.node))
        this.database.end({ id, account, node, hold, key: "", isSettle: false, amount: 0n });
      this.database.removeNode(process.node);
      if (process.state !== "alive") continue;
      process.wasRevoked = true;
      for (const account of this.accounts)
        if (process.book.find(account)) process.revoked.add(account);
    }
  }

  /** The disk of a lost machine comes back. */
  find(): void {
    for (const process of this.processes) if (process.state === "lost") this.#replay(process);
  }

  recall(account: string): boolean {
    if (this.database.recall(account, RECALLED_MS)) return true;
    this.recalled++;
    for (const process of this.processes)
      if (process.state === "alive") process.book.recall(account, this.now);
    return false;
  }

  /** A key gets a limit: only while no points of its account are leased. */
  limit(account: string, key: string): void {
    if (this.recall(account)) this.database.limitedKeys.add(key);
  }
}

interface Answer {
  readonly how: string;
  readonly charged: bigint;
  readonly limited?: ReadonlySet<string>;
}
