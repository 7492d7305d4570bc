import pg from "pg";
import { RelayError } from "../errors";
import { holdText, releaseText, settleText } from "./batch-text";
import { assertSafe } from "./guard";
import type { EndItem } from "./item";
import { giveNodeUp, liveNodes, orphanedOperations, removeDeadNodes, removeLease, renewLease } from "./node-lease";
import { openSpool, storeId } from "./spool";
import { type EndResult, type HoldResult, type Ledger, noOutcome } from "./verbs";
import { balance, credit, openWallet, setKeyBudget } from "./wallets";
import { defaultTimings, openWriter, type Timings, type Writer } from "./writer";

export interface LedgerOptions {
  readonly databaseUrl: string;
  /** Lies in the data folder and outlives the process; processes of one machine may share it. */
  readonly spoolFolder: string;
  /** `server` may hold points and looks after what dead processes left; `tool` (the command line) does neither. */
  readonly role?: "server" | "tool";
  readonly nodeId?: string;
  readonly timings?: Partial<Timings & { readonly heartbeatMs: number; readonly leaseSeconds: number }>;
  readonly log?: (event: string, detail: unknown) => void;
}

export interface OpenLedger extends Ledger {
  readonly nodeId: string;
  /** False while no connection of the writer is up. */
  readonly isUp: boolean;
  /** Verbs that wait for their commit. */
  readonly waiting: number;
  /** Ends every open operation of dead processes that can be ended; answers how many. Runs by itself every few seconds. */
  sweep(): Promise<number>;
  /** Gives up a dead node whose spool will not come back, and what it held; answers how many holds. Audited. */
  releaseNode(nodeId: string, actor: string): Promise<number>;
  /** Takes no more holds, waits up to `patienceMs` for what is under way, spools the rest. */
  close(patienceMs?: number): Promise<void>;
}

const SWEEP_ITEMS = 256;

/** Connects to the database and joins the other processes; rejects when the database cannot be reached or would lose commits. */
export async function createLedger(options: LedgerOptions): Promise<OpenLedger> {
  const { databaseUrl, spoolFolder, role = "server", log = () => {} } = options;
  const { heartbeatMs = 3000, leaseSeconds = 15 } = options.timings ?? {};
  const nodeId = options.nodeId ?? `node_${crypto.randomUUID()}`;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 2,
    connectionTimeoutMillis: 2000,
    statement_timeout: 5000,
    lock_timeout: 2000,
    application_name: "relay-ledger",
  });
  pool.on("error", () => {});
  const store = storeId(spoolFolder);
  try {
    await assertSafe(pool);
    if (role === "server") await renewLease(pool, nodeId, store, leaseSeconds);
  } catch (error) {
    await pool.end().catch(() => {});
    throw error;
  }
  const spool = openSpool(spoolFolder, nodeId);
  const beat = () => void heartbeat().catch((error) => log("ledger_heartbeat_failed", error));
  const writer: Writer = openWriter({
    databaseUrl,
    nodeId,
    timings: { ...defaultTimings, ...options.timings },
    spool: spool.append,
    onUp: beat,
    onLeaseLost: beat,
    log,
  });

  const put = (
    item: Pick<EndItem, "id" | "account" | "text" | "bareText" | "isSettle" | "amount" | "isSpooled">,
  ): Promise<EndResult | null> =>
    new Promise((resolve, reject) => {
      writer.end({ ...item, isHold: false, since: performance.now(), timesSent: 0, isOver: false, resolve, reject });
    });
  const putEnd = async (item: Parameters<typeof put>[0]): Promise<EndResult> => {
    const result = await put(item);
    if (!result) throw new RelayError("internal_error", { internal: `there is no operation ${item.id} of account ${item.account}` });
    return result;
  };

  /** Sends the records of spool files to the database; a file goes away when all of it is there. */
  async function replay(isWanted: (node: string) => boolean): Promise<void> {
    for (const file of spool.files(isWanted)) {
      const records = spool.read(file);
      const results = await Promise.all(
        records.map((record) => {
          const facts = JSON.parse(record) as { id: string; account: string; settled: boolean; usage?: unknown };
          const bareText = () => JSON.stringify({ ...facts, ...(facts.settled ? { usage: {} } : {}), upstream: null }).slice(1);
          return put({
            id: facts.id,
            account: facts.account,
            text: record.slice(1),
            bareText,
            isSettle: facts.settled,
            amount: 0n,
            isSpooled: true,
          });
        }),
      );
      if (results.includes(null)) {
        log("ledger_spool_unknown", file);
        spool.setAside(file);
      } else spool.remove(file);
    }
  }

  async function endOrphans(reason: string, find: () => ReturnType<typeof orphanedOperations>): Promise<number> {
    for (let ended = 0; ; ) {
      const orphans = await find();
      const results = await Promise.all(
        orphans.map(({ id, account, holdAmount }) => {
          const loss = { cause: "crash_unknown", estimateAmount: holdAmount, detail: { reason } } as const;
          const text = releaseText({ operationId: id, accountId: account, reason, loss, outcome: noOutcome });
          return put({ id, account, text, bareText: () => text, isSettle: false, amount: 0n, isSpooled: true });
        }),
      );
      ended += results.filter((result) => result?.result === "done").length;
      if (orphans.length < SWEEP_ITEMS) return ended;
    }
  }

  /** Dead processes' spools are emptied first: what they knew is charged, only what nobody knows is released. */
  async function sweep(): Promise<number> {
    const live = await liveNodes(pool);
    const isDead = (node: string) => node !== nodeId && !live.has(node);
    await replay(isDead);
    const ended = await endOrphans("crash_unknown", () => orphanedOperations(pool, store, SWEEP_ITEMS));
    await removeDeadNodes(pool, store);
    return ended;
  }

  let isBeating = false;
  let isClosing = false;
  async function heartbeat(): Promise<void> {
    if (role !== "server" || isBeating || isClosing) return;
    isBeating = true;
    try {
      await renewLease(pool, nodeId, store, leaseSeconds);
      if (!writer.isUp) return;
      await replay((node) => node === nodeId);
      const ended = await sweep();
      if (ended > 0) log("ledger_swept", { ended });
    } finally {
      isBeating = false;
    }
  }
  const timer = setInterval(beat, heartbeatMs);
  timer.unref();

  return {
    nodeId,
    get isUp() {
      return writer.isUp;
    },
    get waiting() {
      return writer.waiting;
    },
    openHold: (request) =>
      new Promise<HoldResult>((resolve, reject) => {
        if (role !== "server") throw new RelayError("internal_error", { internal: "a tool opened a hold" });
        const text = holdText(request);
        const since = performance.now();
        writer.hold({
          isHold: true,
          id: request.operationId,
          account: request.accountId,
          text,
          since,
          timesSent: 0,
          isOver: false,
          resolve,
          reject,
        });
      }),
    settle: async (request) => {
      const bareText = () => settleText({ ...request, outcome: { ...request.outcome, upstreamRef: null } }, "{}");
      return putEnd({
        id: request.operationId,
        account: request.accountId,
        text: settleText(request),
        bareText,
        isSettle: true,
        amount: request.amount,
        isSpooled: false,
      });
    },
    release: async (request) => {
      const text = releaseText(request);
      return putEnd({
        id: request.operationId,
        account: request.accountId,
        text,
        bareText: () => text,
        isSettle: false,
        amount: 0n,
        isSpooled: false,
      });
    },
    credit: async (request) => credit(pool, request),
    openWallet: (accountId) => openWallet(pool, accountId),
    setKeyBudget: async (apiKeyId, accountId, budget) => setKeyBudget(pool, apiKeyId, accountId, budget),
    balance: (accountId) => balance(pool, accountId),
    sweep,
    async releaseNode(lostNode, actor) {
      if (!(await giveNodeUp(pool, lostNode, actor))) throw new RelayError("not_found", { internal: "no such dead node" });
      return endOrphans("node_given_up", () => orphanedOperations(pool, store, SWEEP_ITEMS));
    },
    async close(patienceMs = 10_000) {
      isClosing = true;
      clearInterval(timer);
      await writer.close(patienceMs);
      try {
        const hasSpooled = spool.files((node) => node === nodeId).length > 0;
        if (role === "server" && !hasSpooled) await removeLease(pool, nodeId);
      } catch (error) {
        log("ledger_lease_left", error);
      }
      await pool.end();
    },
  };
}
