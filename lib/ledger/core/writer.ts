/**
 * The group-commit writer. Callers queue verbs; one SQL call carries all that are queued; each
 * caller gets its own answer.
 */

import { isValueRefused } from "../../db/database-errors";
import { lookForPrimary } from "../../db/primary-client";
import { RelayError } from "../../failures/relay-error";
import { pause } from "../../timing/pause";
import { type Linked, LinkedList } from "../../values/linked-list";
import { giveAnswers } from "./batch-answer";
import { batchStatement } from "./batch-statement";
import type { EndItem, HoldItem, Item } from "./item";
import type { RecentVerbs } from "./recent-verbs";
import { bareEnd, spoolRecord } from "./rows";
import type { Timings } from "./timings";
import { UncertainHolds } from "./uncertain-holds";
import { VerbQueue } from "./verb-queue";
import { openWriterConnection, type WriterConnection } from "./writer-connection";

const CONNECTIONS = 2;
const HOLDS_WAITING_MAX = 5000;
/** A second batch is sent in parallel only when this many items wait: fuller batches cost less. */
const SECOND_CONNECTION_ITEMS = 64;
/** After so many items the next batch waits to be fuller: each costs some 1.5 ms of its own. */
const SPACED_ITEMS = 4;
/** From the sending of one batch to that of the next. */
const BATCH_SPACING_MS = 6;
const TICK_MS = 200;
/** A connection that was idle for so long is asked whether its server is there. */
const PULSE_MS = 1000;
/** After so long without an answer, another server may have taken over. */
const SILENT_MS = 800;
const LEASE_RETRY_MS = 50;

export interface WriterOptions {
  readonly databaseUrl: string;
  readonly nodeId: string;
  readonly timings: Timings;
  readonly recent: RecentVerbs;
  /** Writes ends to disk; throws when it cannot. False: they may not count. */
  readonly spool: (records: readonly string[]) => boolean;
  readonly onUp: () => void;
  readonly onLeaseLost: () => void;
  readonly log: (event: string, detail: unknown) => void;
  /** Called for each batch that the database answered. */
  readonly onBatch?: ((items: number, seconds: number) => void) | undefined;
}

/** A batch that was sent and has no answer yet. */
interface SentBatch extends Linked<SentBatch> {
  readonly connection: WriterConnection;
  readonly batch: Item[];
  readonly since: number;
}

/** Answers each item once: committed, refused, or (ends only) written to disk. */
export class Writer {
  readonly #options: WriterOptions;
  readonly #connections: WriterConnection[] = [];
  readonly #queue = new VerbQueue();
  readonly #underway = new LinkedList<SentBatch>();
  readonly #uncertainHolds = new UncertainHolds();
  readonly #ticker: NodeJS.Timeout;
  #isScheduled = false;
  #nextAt = 0;
  #isClosing = false;
  #isSpoolBroken = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    for (let n = 0; n < CONNECTIONS; n++) {
      const connection = openWriterConnection(options.databaseUrl, () => {
        if (!connection.isUp) return;
        options.onUp();
        this.#schedule();
      });
      this.#connections.push(connection);
    }
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#ticker.unref();
  }

  get isUp(): boolean {
    return this.#connections.some((connection) => connection.isUp);
  }

  /** Resolves when a connection is up, and after `patienceMs` in any case. */
  async whenUp(patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs;
    while (!this.isUp && performance.now() < until) await pause(5);
  }

  get waiting(): number {
    return this.#queue.size + this.#underway.list().length;
  }

  hold(item: HoldItem): void {
    if (this.#isClosing) item.reject(new RelayError("service_draining"));
    else if (this.#queue.holds.length >= HOLDS_WAITING_MAX)
      item.reject(new RelayError("service_busy", { retryAfterSeconds: 1 }));
    else if (this.#isSpoolBroken)
      item.reject(new RelayError("database_unavailable", { retryAfterSeconds: 2 }));
    else {
      this.#queue.holds.push(item);
      this.#schedule();
    }
  }

  end(item: EndItem): void {
    this.#queue.ends.push(item);
    this.#schedule();
  }

  /** Waits until the queue is empty, spools what is left after `patienceMs`, and disconnects. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosing = true;
    const until = performance.now() + patienceMs;
    while (this.waiting > 0 && performance.now() < until) await pause(10);
    clearInterval(this.#ticker);
    this.#toSpool([...this.#sent(), ...this.#queue.ends]);
    for (const item of [...this.#sent(), ...this.#queue.holds]) if (item.isHold) this.#refuse(item);
    for (const connection of this.#connections) if (connection.isBusy) connection.reset();
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  /** Sends at the end of this turn of the loop, or of the spacing: what arrives is one batch. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const waitMs = this.#nextAt - performance.now();
    if (waitMs > 0) setTimeout(() => this.#pump(), waitMs);
    else setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isScheduled = false;
    const { again, ends, holds } = this.#queue;
    for (const connection of this.#connections) {
      if (!connection.isUp || connection.isBusy) continue;
      const isFirst = this.#underway.first === null;
      if (
        !isFirst &&
        again.length === 0 &&
        ends.length + holds.length < SECOND_CONNECTION_ITEMS &&
        !this.#isStuck()
      )
        return;
      const batch = this.#queue.next();
      if (batch.length === 0) return;
      void this.#run(connection, batch);
    }
  }

  #isStuck(forMs = TICK_MS): boolean {
    for (const { since } of this.#underway.list())
      if (performance.now() - since > forMs) return true;
    return false;
  }

  /** An idle connection is asked, so that a server that is gone without a word is noticed. */
  async #pulse(connection: WriterConnection): Promise<void> {
    const since = performance.now();
    const sent: SentBatch = { connection, batch: [], since, before: null, after: null };
    this.#underway.add(sent);
    await connection.pulse().catch(() => {});
    this.#underway.delete(sent);
    this.#pump();
  }

  async #run(connection: WriterConnection, batch: Item[]): Promise<void> {
    const sent = { connection, batch, since: performance.now(), before: null, after: null };
    this.#underway.add(sent);
    for (const item of batch) item.timesSent++;
    try {
      const sentAt = performance.now();
      const answer = await connection.send(batchStatement(this.#options.nodeId, batch));
      this.#underway.delete(sent);
      this.#options.onBatch?.(batch.length, (performance.now() - sentAt) / 1000);
      this.#give(batch, answer);
      this.#nextAt = batch.length >= SPACED_ITEMS ? sentAt + BATCH_SPACING_MS : 0;
    } catch (error) {
      this.#underway.delete(sent);
      // Sent again on reconnect or at the next tick, not at once: the database may be in trouble.
      if (!this.#fail(batch, error)) return;
    }
    this.#schedule();
  }

  #give(batch: Item[], answer: string): void {
    const leaseless = giveAnswers(batch, answer, this.#options.recent);
    if (leaseless.length > 0) void this.#holdAgainWithLease(leaseless);
  }

  /**
   * The lease expired, so this process counts as dead. Renews the lease, then sends the holds
   * again.
   */
  async #holdAgainWithLease(holds: HoldItem[]): Promise<void> {
    this.#options.onLeaseLost();
    await pause(LEASE_RETRY_MS);
    this.#queue.holds.unshift(...holds);
    this.#pump();
  }

  /** False when the error is not about one item: the whole batch is then sent again later. */
  #fail(batch: Item[], error: unknown): boolean {
    if (!isValueRefused(error)) {
      this.#options.log("ledger_batch_unanswered", error);
      this.#queue.again.push(batch);
      return false;
    }
    const [first] = batch;
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      this.#queue.again.push(batch.slice(0, middle), batch.slice(middle));
    } else if (first !== undefined) this.#failItem(first, error);
    return true;
  }

  #failItem(item: Item, error: unknown): void {
    this.#options.log("ledger_item_refused", { id: item.id, error });
    if (item.isOver) return;
    item.isOver = true;
    if (!item.isHold && !item.isBare) {
      this.#queue.again.push([{ ...item, row: bareEnd(item.row), isBare: true, isOver: false }]);
      return;
    }
    item.reject(
      new RelayError("internal_error", { internal: "the ledger refused the item", cause: error }),
    );
  }

  /** Items that were sent and have no answer. */
  #sent(): Item[] {
    return this.#queue.again.flat().concat(this.#underway.list().flatMap(({ batch }) => batch));
  }

  /**
   * Everything that depends on time: timeouts of verbs, connections without an answer, holds that
   * may still commit.
   */
  #tick(): void {
    const { timings } = this.#options;
    const now = performance.now();
    for (const { connection, since } of this.#underway.list())
      if (now - since > timings.batchPatienceMs) connection.reset();
    if (this.#isStuck(SILENT_MS)) lookForPrimary(this.#options.databaseUrl);
    for (const connection of this.#connections)
      if (connection.isUp && !connection.isBusy && now - connection.answeredAt > PULSE_MS)
        void this.#pulse(connection);
    const holdPatience = this.isUp ? timings.holdPatienceInFlightMs : timings.holdPatienceMs;
    const late: EndItem[] = [];
    for (const item of [...this.#sent(), ...this.#queue.ends, ...this.#queue.holds]) {
      if (item.isHold) {
        if (now - item.since > holdPatience) this.#refuse(item);
      } else if (now - item.since > timings.endPatienceMs && !item.isUncertain) late.push(item);
    }
    this.#toSpool(late);
    this.#queue.dropOver();
    if (this.isUp) this.#queue.ends.push(...this.#uncertainHolds.releases(now));
    this.#pump();
  }

  #refuse(item: HoldItem): void {
    if (item.isOver) return;
    item.isOver = true;
    if (item.timesSent > 0) this.#uncertainHolds.add(item);
    item.reject(new RelayError("database_unavailable", { retryAfterSeconds: 2 }));
  }

  #toSpool(items: readonly Item[]): void {
    const ends = items.filter((item): item is EndItem => !item.isHold && !item.isOver);
    const fresh = ends.filter((item) => !item.isSpooled && !item.isUncertain);
    try {
      const records = fresh.map(({ row }) => spoolRecord(row));
      if (records.length > 0 && !this.#options.spool(records))
        for (const item of fresh) item.isUncertain = true;
      this.#isSpoolBroken = false;
    } catch (error) {
      this.#isSpoolBroken = true;
      this.#options.log("ledger_spool_failed", error);
      return;
    }
    for (const item of ends) {
      // It waits for the database, which knows whether another process ended it meanwhile.
      if (item.isUncertain && !this.#isClosing) continue;
      item.isOver = true;
      if (item.isSpooled || item.isUncertain) item.reject(new RelayError("database_unavailable"));
      else
        item.resolve({
          result: "spooled",
          outcome: item.isSettle ? "settled" : "released",
          amount: item.amount,
        });
    }
  }
}
