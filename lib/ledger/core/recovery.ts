import type pg from "pg";
import { inTransaction } from "../../db/transaction";
import { RelayError } from "../../failures/relay-error";
import { openSpooledHold } from "./earlier-spool";
import { endItem } from "./item";
import {
  abandonNode,
  endLease,
  type OrphanedOperation,
  orphanedOperations,
  overdueOperations,
  readNodes,
  removeDeadNodes,
  renewLease,
} from "./node-lease";
import { type Row, readRecord, releaseRow } from "./rows";
import { type AsideFile, nodeOfFile, type Spool } from "./spool";
import { type BeforeCommit, type EndResult, noOutcome } from "./verbs";
import type { Writer } from "./writer";

export interface RecoveryOptions {
  readonly pool: pg.Pool;
  readonly writer: () => Writer;
  readonly spool: Spool;
  readonly store: string;
  readonly nodeId: string;
  readonly leaseSeconds: number;
  readonly heartbeatMs: number;
  readonly log: (event: string, detail: unknown) => void;
}

const SWEEP_ITEMS = 256;
/** Heartbeats without a gap before others are taken for dead: after an outage each renews first. */
const STEADY_BEATS = 2;

/** Renews this process's lease, and ends the operations that dead processes left open. */
export class Recovery {
  readonly #options: RecoveryOptions;
  #isBeating = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #steadySince = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /**
   * One heartbeat: renew the lease, replay this process's spool, sweep. Heartbeats do not overlap;
   * a failed one is only logged.
   */
  async beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const { pool, nodeId, store, leaseSeconds, writer, log, spool } = this.#options;
    try {
      await renewLease(pool, nodeId, store, leaseSeconds);
      const isSteady = this.#noteRenewal();
      spool.removeMarks();
      if (!writer().isUp) return;
      await this.#replay((node) => node === nodeId);
      const ended = isSteady ? await this.sweep() : 0;
      if (ended > 0) log("ledger_swept", { ended });
    } catch (error) {
      log("ledger_heartbeat_failed", error);
    } finally {
      this.#isBeating = false;
    }
  }

  /** Whether this process has renewed its lease for a while without a gap. */
  #noteRenewal(): boolean {
    const now = performance.now();
    const steadyMs = STEADY_BEATS * this.#options.heartbeatMs;
    if (now - this.#renewedAt > steadyMs) this.#steadySince = now;
    this.#renewedAt = now;
    return now - this.#steadySince >= steadyMs;
  }

  /**
   * Replays the spools of dead processes first, so that what they knew is charged. Releases only
   * the operations that no spool knows. A process that was only frozen finds the mark, and promises
   * nothing that it spooled too late.
   */
  async sweep(isWanted: (node: string) => boolean = () => true): Promise<number> {
    const { pool, nodeId, store, spool } = this.#options;
    // Files first: a process that registers after the next line has none among them.
    const here = new Set(spool.files(isWanted).map(nodeOfFile));
    const { live, dead } = await readNodes(pool, store);
    const gone = new Set(dead.filter(isWanted).concat([...here].filter((node) => !live.has(node))));
    gone.delete(nodeId);
    for (const node of gone) spool.markDead(node);
    const isGone = (node: string) => gone.has(node);
    await this.#replay(isGone);
    const ended = (await this.#endOrphans("crash_unknown", [...gone])) + (await this.#endOverdue());
    await removeDeadNodes(pool, store);
    return ended;
  }

  /**
   * Ends what a dead process of this machine left open, at once and not only when its lease has
   * expired. The caller knows that the process is gone. Rejects when the database does not answer;
   * then the next heartbeats do it.
   */
  async reapNode(deadNodeId: string): Promise<number> {
    const { pool, store } = this.#options;
    await endLease(pool, deadNodeId, store);
    return this.sweep((node) => node === deadNodeId);
  }

  /** Throws `not_found` unless the node is dead. */
  async releaseNode(
    nodeId: string,
    actor: string,
    beforeCommit?: BeforeCommit<number>,
  ): Promise<number> {
    const released = await inTransaction(this.#options.pool, async (client) => {
      const operations = await abandonNode(client, nodeId, actor);
      if (operations === null) throw new RelayError("not_found", { internal: "no such dead node" });
      await beforeCommit?.(client, operations);
      return operations;
    });
    await this.#endOrphans("node_given_up", []);
    return released;
  }

  /**
   * The name of the folder whose spool this process replays, and the files there that an operator
   * should look at.
   */
  spoolState(): { store: string; aside: AsideFile[] } {
    return { store: this.#options.store, aside: this.#options.spool.aside() };
  }

  #put(row: Row): Promise<EndResult | null> {
    return new Promise((resolve, reject) =>
      this.#options.writer().end(endItem(row, { resolve, reject }, true)),
    );
  }

  /**
   * Sends the records of spool files to the database, and removes a file when all its records are
   * there. A damaged file is set aside after its readable records were sent.
   */
  async #replay(isWanted: (node: string) => boolean): Promise<void> {
    const { spool, log } = this.#options;
    for (const file of spool.files(isWanted)) {
      const { records, isDamaged } = spool.read(file);
      const results = await Promise.all(records.map((record) => this.#replayRecord(record)));
      if (!isDamaged && !results.includes(null)) {
        spool.remove(file);
        continue;
      }
      const reason = isDamaged ? "damaged" : "unknown";
      log(`ledger_spool_${reason}`, file);
      spool.setAside(file, reason);
    }
  }

  async #replayRecord(record: string): Promise<EndResult | null> {
    const { pool, nodeId, log } = this.#options;
    return (await openSpooledHold(pool, nodeId, record, log))
      ? this.#put(readRecord(record))
      : null;
  }

  /** `emptied`: dead nodes whose spools have just been replayed. */
  async #endOrphans(reason: string, emptied: readonly string[]): Promise<number> {
    const { pool } = this.#options;
    for (let ended = 0; ; ) {
      const orphans = await orphanedOperations(pool, emptied, SWEEP_ITEMS);
      ended += await this.#endAll(orphans, reason);
      if (orphans.length < SWEEP_ITEMS) return ended;
    }
  }

  async #endOverdue(): Promise<number> {
    const { pool, nodeId, log } = this.#options;
    const overdue = await overdueOperations(pool, nodeId, SWEEP_ITEMS);
    if (overdue.length > 0) log("ledger_overdue", overdue.length);
    return this.#endAll(overdue, "overdue");
  }

  async #endAll(operations: readonly OrphanedOperation[], reason: string): Promise<number> {
    const results = await Promise.all(
      operations.map(({ id, account, holdAmount }) => {
        const loss = {
          cause: "crash_unknown",
          estimateAmount: holdAmount,
          detail: { reason },
        } as const;
        return this.#put(
          releaseRow({ operationId: id, accountId: account, reason, loss, outcome: noOutcome }),
        );
      }),
    );
    return results.filter((result) => result?.result === "done").length;
  }
}
