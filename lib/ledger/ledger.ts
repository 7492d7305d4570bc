import { join } from "node:path";
import type pg from "pg";
import { newNodeId } from "../crypto/ids";
import { guardLineage } from "../db/lineage";
import { RelayError } from "../failures/relay-error";
import { assertRules } from "./core/guard";
import { endItem, holdItem } from "./core/item";
import { setKeyLimit } from "./core/key-limits";
import { openLedgerPool } from "./core/ledger-pool";
import { removeLease, renewLease } from "./core/node-lease";
import { RecentVerbs } from "./core/recent-verbs";
import { Recovery } from "./core/recovery";
import { holdRow, type Row, releaseRow, settleRow } from "./core/rows";
import { settleAgain } from "./core/settle-again";
import { openSpool, type Spool, storeId } from "./core/spool";
import type { TaskFailure, TaskLedger, TaskOpening, TaskSuccess } from "./core/task-verbs";
import { createTaskLedger } from "./core/tasks";
import { defaultTimings, type Timings } from "./core/timings";
import type {
  Balance,
  BeforeCommit,
  CreditEntry,
  CreditRequest,
  CreditResult,
  EndResult,
  HoldRequest,
  HoldResult,
  Ledger,
  LedgerRecovery,
  RefundEntry,
  RefundRequest,
  RefundResult,
  ReleaseRequest,
  SettleRequest,
} from "./core/verbs";
import { balance, credit, openWallet, refund, setKeyBudget } from "./core/wallets";
import { Writer } from "./core/writer";
import { waitForDisconnect } from "./core/writer-connection";

export interface LedgerOptions {
  readonly databaseUrl: string;
  /**
   * A folder in the data folder. It outlives the process, and processes of one machine may share
   * it.
   */
  readonly spoolFolder: string;
  /**
   * A `server` may hold points, and cleans up after dead processes. A `tool` (the command line)
   * does neither by itself.
   */
  readonly role?: "server" | "tool";
  readonly nodeId?: string;
  readonly timings?:
    | Partial<Timings & { readonly heartbeatMs: number; readonly leaseSeconds: number }>
    | undefined;
  readonly log?: (event: string, detail: unknown) => void;
  /** Called for each batch that the database answered. */
  readonly onBatch?: (items: number, seconds: number) => void;
}

/**
 * Connects to the database and registers this process. Rejects when the database cannot be reached
 * or lacks a constraint of the ledger.
 */
export async function createLedger(options: LedgerOptions): Promise<OpenLedger> {
  const { databaseUrl, spoolFolder, role = "server", log = () => {}, timings } = options;
  const nodeId = options.nodeId ?? newNodeId();
  const { heartbeatMs = 3000, leaseSeconds = 15 } = timings ?? {};
  const patience = { ...defaultTimings, ...timings };
  const pool = openLedgerPool(databaseUrl, patience.batchPatienceMs, 2);
  const store = storeId(spoolFolder);
  const recent = new RecentVerbs();
  const settleLost = () => settleAgain(writer, recent, log);
  const leaveLineage = role === "server" ? guard(options, nodeId, recent, settleLost) : () => {};
  try {
    await assertRules(pool);
    if (role === "server") await renewLease(pool, nodeId, store, leaseSeconds);
  } catch (error) {
    leaveLineage();
    await pool.end().catch(() => {});
    throw error;
  }
  const spool = openSpool(spoolFolder, nodeId);
  const recovery = new Recovery({
    ...{ pool, writer: () => writer, spool, store, nodeId, leaseSeconds, heartbeatMs, log },
  });
  const beat = () => void (role === "server" && recovery.beat());
  const writer = new Writer({
    databaseUrl,
    nodeId,
    timings: patience,
    recent,
    spool: spool.append,
    onUp: beat,
    onLeaseLost: beat,
    log,
    onBatch: options.onBatch,
  });
  const heart = setInterval(beat, heartbeatMs);
  heart.unref();
  const taskPool = openLedgerPool(databaseUrl, patience.batchPatienceMs, TASK_CONNECTIONS);
  const renew = () => renewLease(pool, nodeId, store, leaseSeconds);
  const tasks = createTaskLedger({
    pool: taskPool,
    nodeId,
    renew,
    log,
    recent,
    ...patience,
    holdPatienceMs: patience.holdPatienceInFlightMs,
  });
  await writer.whenUp(FIRST_CONNECTION_MS);
  return new OpenLedger({
    nodeId,
    role,
    pool,
    taskPool,
    tasks,
    writer,
    spool,
    recovery,
    heart,
    recent,
    leaveLineage,
    log,
  });
}

function guard(
  { databaseUrl, spoolFolder }: LedgerOptions,
  nodeId: string,
  recent: RecentVerbs,
  changed: () => void,
): () => void {
  const memory = { lost: recent.lost.bind(recent), changed };
  const folder = join(spoolFolder, LINEAGE_FOLDER);
  return guardLineage({ databaseUrl, folder, nodeId, memory });
}

/** In the folder of the spool: what `guardLineage` keeps. */
export const LINEAGE_FOLDER = "lineage";
/** For the first answers to be good ones. */
const FIRST_CONNECTION_MS = 2000;

/** Opened on the first use by a task. */
const TASK_CONNECTIONS = 4;

interface LedgerDeps {
  readonly nodeId: string;
  readonly role: "server" | "tool";
  readonly pool: pg.Pool;
  readonly taskPool: pg.Pool;
  readonly tasks: TaskLedger;
  readonly writer: Writer;
  readonly spool: Spool;
  readonly recovery: Recovery;
  readonly heart: NodeJS.Timeout;
  readonly recent: RecentVerbs;
  readonly leaveLineage: () => void;
  readonly log: (event: string, detail: unknown) => void;
}

/** The ledger of one process. Create it with `createLedger`. */
export class OpenLedger implements Ledger, TaskLedger, LedgerRecovery {
  readonly #deps: LedgerDeps;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
  }

  get nodeId(): string {
    return this.#deps.nodeId;
  }

  /** False while the writer has no open connection. */
  get isUp(): boolean {
    return this.#deps.writer.isUp;
  }

  /** The batches in flight and the verbs that wait for a commit. */
  get waiting(): number {
    return this.#deps.writer.waiting;
  }

  openHold(request: HoldRequest): Promise<HoldResult> {
    return new Promise((resolve, reject) => {
      if (this.#deps.role !== "server")
        throw new RelayError("internal_error", { internal: "a tool opened a hold" });
      this.#deps.writer.hold(holdItem(holdRow(request), { resolve, reject }));
    });
  }

  settle(request: SettleRequest): Promise<EndResult> {
    return this.#end(() => settleRow(request));
  }

  release(request: ReleaseRequest): Promise<EndResult> {
    return this.#end(() => releaseRow(request));
  }

  /** Rejects with `RangeError` for figures outside their bounds. */
  #end(rowOf: () => Row): Promise<EndResult> {
    return new Promise((resolve, reject) => {
      const row = rowOf();
      const resolveKnown = (result: EndResult | null) => {
        // Its hold was opened here, so it was lost with a primary, and nothing can be charged.
        const internal = `there is no request ${row[0]} of ${row[1]}`;
        if (result) resolve(result);
        else reject(new RelayError("database_unavailable", { retryAfterSeconds: 1, internal }));
      };
      this.#deps.writer.end(endItem(row, { resolve: resolveKnown, reject }));
    });
  }

  openTask(hold: HoldRequest, task: TaskOpening): Promise<HoldResult> {
    return this.#deps.tasks.openTask(hold, task);
  }

  settleTask(request: SettleRequest, end: TaskSuccess): Promise<EndResult> {
    return this.#deps.tasks.settleTask(request, end);
  }

  releaseTask(request: ReleaseRequest, end: TaskFailure): Promise<EndResult> {
    return this.#deps.tasks.releaseTask(request, end);
  }

  async credit(
    request: CreditRequest,
    beforeCommit?: BeforeCommit<CreditEntry>,
  ): Promise<CreditResult> {
    const result = await credit(this.#deps.pool, request, beforeCommit);
    if (result.result === "done") this.#deps.recent.noteCredit(request);
    return result;
  }

  async refund(
    request: RefundRequest,
    beforeCommit?: BeforeCommit<RefundEntry>,
  ): Promise<RefundResult> {
    return refund(this.#deps.pool, request, beforeCommit);
  }

  openWallet(accountId: string): Promise<void> {
    return openWallet(this.#deps.pool, accountId);
  }

  setKeyBudget(
    ...[key, account, budget, within]: Parameters<Ledger["setKeyBudget"]>
  ): Promise<void> {
    return setKeyBudget(within ?? this.#deps.pool, key, account, budget);
  }

  setKeyLimit(...[key, account, limit, within]: Parameters<Ledger["setKeyLimit"]>): Promise<void> {
    return setKeyLimit(within ?? this.#deps.pool, key, account, limit);
  }

  balance(accountId: string): Promise<Balance> {
    return balance(this.#deps.pool, accountId);
  }

  sweep(): Promise<number> {
    return this.#deps.recovery.sweep();
  }

  reapNode = (deadNodeId: string): Promise<number> => this.#deps.recovery.reapNode(deadNodeId);

  releaseNode(nodeId: string, actor: string, beforeCommit?: BeforeCommit<number>): Promise<number> {
    return this.#deps.recovery.releaseNode(nodeId, actor, beforeCommit);
  }

  spoolState(): ReturnType<LedgerRecovery["spoolState"]> {
    return this.#deps.recovery.spoolState();
  }

  /**
   * Refuses new holds, waits up to `patienceMs` for verbs in flight, spools the rest, and
   * unregisters this process.
   */
  async close(patienceMs = 10_000): Promise<void> {
    const { heart, writer, spool, role, pool, taskPool, nodeId, log } = this.#deps;
    clearInterval(heart);
    this.#deps.leaveLineage();
    await writer.close(patienceMs);
    try {
      const isLeft = spool.files((node) => node === nodeId).length > 0;
      if (role === "server" && !isLeft) await removeLease(pool, nodeId);
    } catch (error) {
      log("ledger_lease_left", error);
    }
    await waitForDisconnect(Promise.all([pool.end(), taskPool.end()]));
  }
}
