/** The group-commit writer: callers put verbs in a queue, one SQL call carries what has gathered, each caller gets its answer. */
import { RelayError } from "../errors";
import { readEndAnswer, readHoldAnswer } from "./batch-text";
import { isItemError, type Lane, openLane } from "./connection";
import { batchValues, type EndItem, type HoldItem, type Item } from "./item";
import { openStrays } from "./strays";

export interface Timings {
  /** Holds wait this long for a lost database, then are refused. */
  readonly holdPatienceMs: number;
  /** Holds under way in a slow database are refused after this. */
  readonly holdPatienceInFlightMs: number;
  /** Ends wait this long for the database, then go to the spool. */
  readonly endPatienceMs: number;
  /** A batch without an answer for this long has lost its connection. */
  readonly batchPatienceMs: number;
}

export const defaultTimings: Timings = { holdPatienceMs: 800, holdPatienceInFlightMs: 5000, endPatienceMs: 10_000, batchPatienceMs: 6000 };

const BATCH_ITEMS_MAX = 256;
const HOLDS_WAITING_MAX = 5000;
/** A second batch goes out beside the first only when this many items wait: fuller batches cost less. */
const SECOND_LANE_ITEMS = 64;
const TICK_MS = 200;

export interface WriterOptions {
  readonly databaseUrl: string;
  readonly nodeId: string;
  readonly timings: Timings;
  /** Puts ends on disk; throws when it cannot. */
  readonly spool: (records: readonly string[]) => void;
  readonly onUp: () => void;
  readonly onLeaseLost: () => void;
  readonly log: (event: string, detail: unknown) => void;
}

export interface Writer {
  readonly isUp: boolean;
  readonly waiting: number;
  hold(item: HoldItem): void;
  end(item: EndItem): void;
  /** Waits until the queue is empty, spools what is left after `patienceMs`, and disconnects. */
  close(patienceMs: number): Promise<void>;
}

export function openWriter(options: WriterOptions): Writer {
  const { timings, nodeId, log } = options;
  let ends: EndItem[] = [];
  let holds: HoldItem[] = [];
  /** Batches to be sent again as they were, or halves of one that failed. */
  const again: Item[][] = [];
  const underway = new Map<Lane, { batch: Item[]; since: number }>();
  const strays = openStrays();
  let isScheduled = false;
  let isClosing = false;
  let isSpoolBroken = false;

  const lanes: Lane[] = [];
  for (let n = 0; n < 2; n++) {
    const lane = openLane(options.databaseUrl, () => {
      if (lane.isUp) {
        options.onUp();
        schedule();
      }
    });
    lanes.push(lane);
  }
  const isUp = () => lanes.some((lane) => lane.isUp);

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(pump);
  };

  function pump(): void {
    isScheduled = false;
    for (const lane of lanes) {
      if (!lane.isUp || lane.isBusy) continue;
      const waiting = ends.length + holds.length;
      if (again.length === 0 && (waiting === 0 || (underway.size > 0 && waiting < SECOND_LANE_ITEMS && !isStuck()))) continue;
      const batch = nextBatch();
      if (batch.length > 0) run(lane, batch);
    }
  }

  const isStuck = () => [...underway.values()].some(({ since }) => performance.now() - since > TICK_MS);

  /** Ends ahead of holds; no operation twice in one batch. */
  function nextBatch(): Item[] {
    for (let repeated = again.shift(); repeated; repeated = again.shift()) {
      const left = repeated.filter((item) => !item.isOver);
      if (left.length > 0) return left;
    }
    const batch: Item[] = ends.length <= BATCH_ITEMS_MAX ? ends : ends.slice(0, BATCH_ITEMS_MAX);
    ends = ends.length <= BATCH_ITEMS_MAX ? [] : ends.slice(BATCH_ITEMS_MAX);
    const room = BATCH_ITEMS_MAX - batch.length;
    if (holds.length > 0 && room > 0) {
      for (const hold of holds.length <= room ? holds : holds.slice(0, room)) if (!hold.isOver) batch.push(hold);
      holds = holds.length <= room ? [] : holds.slice(room);
    }
    if (batch.length < 2) return batch;
    const seen = new Set<string>();
    let hasRepeated = false;
    for (const item of batch) {
      if (seen.has(item.id)) hasRepeated = true;
      else seen.add(item.id);
    }
    return hasRepeated ? firstOfEach(batch) : batch;
  }

  function firstOfEach(batch: Item[]): Item[] {
    const seen = new Set<string>();
    const first: Item[] = [];
    for (const item of batch) {
      if (!seen.has(item.id)) first.push(item);
      else if (item.isHold) holds.push(item);
      else ends.push(item);
      seen.add(item.id);
    }
    return first;
  }

  async function run(lane: Lane, batch: Item[]): Promise<void> {
    underway.set(lane, { batch, since: performance.now() });
    for (const item of batch) item.timesSent++;
    try {
      const answer = await lane.send(batchValues(nodeId, batch));
      underway.delete(lane);
      give(batch, answer);
    } catch (error) {
      underway.delete(lane);
      // Sent again when the connection is back, or at the next tick: not at once, for the database may be in trouble.
      if (!fail(batch, error)) return;
    }
    pump();
  }

  function give(batch: Item[], answer: string): void {
    const parted = answer.indexOf(";");
    const endAnswers = answer.slice(0, parted).split(",");
    const holdAnswers = answer.slice(parted + 1).split(",");
    if (holdAnswers[0] === "n") {
      giveWithoutLease(batch, endAnswers);
      return;
    }
    let endAt = 0;
    let holdAt = 0;
    for (const item of batch) {
      if (item.isHold) giveHold(item, holdAnswers[holdAt++] ?? "");
      else giveEnd(item, endAnswers[endAt++] ?? "");
    }
  }

  /** This process was taken for dead: its lease is renewed first, then its holds are tried again. */
  function giveWithoutLease(batch: Item[], endAnswers: string[]): void {
    let endAt = 0;
    const left: HoldItem[] = [];
    for (const item of batch) {
      if (item.isHold) left.push(item);
      else giveEnd(item, endAnswers[endAt++] ?? "");
    }
    options.onLeaseLost();
    setTimeout(() => {
      holds = left.concat(holds);
      pump();
    }, 50);
  }

  function giveHold(item: HoldItem, answer: string): void {
    if (item.isOver) return;
    item.isOver = true;
    try {
      item.resolve(readHoldAnswer(answer));
    } catch (error) {
      item.reject(error);
    }
  }

  function giveEnd(item: EndItem, answer: string): void {
    if (item.isOver) return;
    item.isOver = true;
    const result = readEndAnswer(answer, item.isSettle);
    // Sent again after a lost answer, it meets its own commit.
    const isOwn = item.timesSent > 1 && result?.result === "already" && (result.outcome === "settled") === item.isSettle;
    item.resolve(isOwn ? { ...result, result: "done" } : result);
  }

  /** False where the fault was not in an item: the whole batch waits to be sent again. */
  function fail(batch: Item[], error: unknown): boolean {
    if (!isItemError(error)) {
      log("ledger_batch_unanswered", error);
      again.push(batch);
      return false;
    }
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      again.push(batch.slice(0, middle), batch.slice(middle));
    } else failItem(batch[0] as Item, error);
    return true;
  }

  function failItem(item: Item, error: unknown): void {
    log("ledger_item_refused", { id: item.id, error });
    if (item.isOver) return;
    item.isOver = true;
    if (!item.isHold && item.text !== item.bareText()) {
      again.push([{ ...item, text: item.bareText(), isOver: false }]);
      return;
    }
    const constraint = (error as { constraint?: string }).constraint;
    const code = constraint === "operation_idempotency" ? "idempotency_in_progress" : "internal_error";
    item.reject(new RelayError(code, { internal: "the ledger refused the item", cause: error }));
  }

  /** Everything that time decides: patience, silent connections, holds nobody waits for. */
  function tick(): void {
    const now = performance.now();
    for (const [lane, { since }] of underway) if (now - since > timings.batchPatienceMs) lane.reset();
    const isDown = !isUp();
    const all = again.flat().concat([...underway.values()].flatMap(({ batch }) => batch));
    for (const item of holds) if (isDown && now - item.since > timings.holdPatienceMs) refuse(item);
    for (const item of all)
      if (item.isHold && now - item.since > (isDown ? timings.holdPatienceMs : timings.holdPatienceInFlightMs)) refuse(item);
    holds = holds.filter((item) => !item.isOver);
    const late = ends
      .concat(all.filter((item): item is EndItem => !item.isHold))
      .filter((item) => now - item.since > timings.endPatienceMs);
    if (late.length > 0) toSpool(late);
    if (!isDown) ends.push(...strays.releases(now));
    pump();
  }

  function refuse(item: HoldItem): void {
    if (item.isOver) return;
    item.isOver = true;
    if (item.timesSent > 0) strays.add(item);
    item.reject(new RelayError("database_unavailable", { retryAfterSeconds: 2 }));
  }

  function toSpool(items: readonly EndItem[]): void {
    const fresh = items.filter((item) => !item.isOver);
    try {
      const records = fresh.filter((item) => !item.isSpooled).map((item) => `{${item.text}`);
      if (records.length > 0) options.spool(records);
      isSpoolBroken = false;
    } catch (error) {
      isSpoolBroken = true;
      log("ledger_spool_failed", error);
      return;
    }
    for (const item of fresh) {
      item.isOver = true;
      if (item.isSpooled) item.reject(new RelayError("database_unavailable"));
      else item.resolve({ result: "spooled", outcome: item.isSettle ? "settled" : "released", amount: item.amount });
    }
    ends = ends.filter((item) => !item.isOver);
  }

  const ticker = setInterval(tick, TICK_MS);
  ticker.unref();

  return {
    get isUp() {
      return isUp();
    },
    get waiting() {
      return ends.length + holds.length + again.length + underway.size;
    },
    hold(item) {
      if (isClosing) return void item.reject(new RelayError("service_draining"));
      if (holds.length >= HOLDS_WAITING_MAX) return void item.reject(new RelayError("service_busy", { retryAfterSeconds: 1 }));
      if (isSpoolBroken) return void item.reject(new RelayError("database_unavailable", { retryAfterSeconds: 2 }));
      holds.push(item);
      schedule();
    },
    end(item) {
      ends.push(item);
      schedule();
    },
    async close(patienceMs) {
      isClosing = true;
      for (const until = performance.now() + patienceMs; this.waiting > 0 && performance.now() < until; )
        await new Promise((done) => setTimeout(done, 10));
      clearInterval(ticker);
      const left = again.flat().concat(
        [...underway.values()].flatMap(({ batch }) => batch),
        ends,
        holds,
      );
      toSpool(left.filter((item): item is EndItem => !item.isHold));
      for (const item of left) if (item.isHold) refuse(item);
      for (const lane of lanes) if (lane.isBusy) lane.reset();
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
