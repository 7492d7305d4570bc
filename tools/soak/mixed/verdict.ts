/** Compares the rows of the ledger with the book, row by row. Prices are computed here anew. */
import type { Book, BookedOrder } from "./book";

/** One operation, as the database has it. `outcome` is null while it is open. */
export interface LedgerRow {
  readonly sha: string;
  readonly outcome: "settled" | "released" | null;
  readonly amount: bigint;
  readonly hold: bigint;
  readonly ref: string | null;
  /** The operator's loss is written down. */
  readonly hasLoss: boolean;
}

/** What can be wrong, in the words of the verdict. */
export const breaches = {
  lost: "answers that a client has whole, without a charge",
  unnoted: "answers without usage, whole, without an operator's loss",
  double: "orders or answers that were charged twice",
  wrong: "charges of another amount than reported",
  unmade: "charges for what the upstream never made",
  refused: "charges for orders that were refused",
  resent: "videos that were made twice for one order",
  strange: "operations that nobody ordered",
  unlike: "idempotency keys with two different answers",
  open: "operations left open",
} as const;
export type Breach = keyof typeof breaches;

export interface Findings {
  readonly operations: number;
  readonly settled: number;
  readonly released: number;
  readonly open: number;
  readonly charged: bigint;
  readonly counts: Readonly<Record<Breach, number>>;
  /** A few of each. */
  readonly examples: readonly string[];
}

const EXAMPLES = 10;
/** Errors after which a charge is right: an earlier request was charged, or the video is still made. */
const chargedErrors = new Set(["idempotency_finished", "task_still_running"]);

export class Verdict {
  readonly #counts: Record<Breach, number> = {
    lost: 0,
    unnoted: 0,
    double: 0,
    wrong: 0,
    unmade: 0,
    refused: 0,
    resent: 0,
    strange: 0,
    unlike: 0,
    open: 0,
  };
  readonly #examples: string[] = [];
  readonly #settledOf = new Map<number, number>();
  readonly #openOf = new Set<number>();
  readonly #lossOf = new Set<number>();
  #operations = 0;
  #settled = 0;
  #open = 0;
  #charged = 0n;

  constructor(private readonly book: Book) {}

  #find(breach: Breach, what: string): void {
    this.#counts[breach]++;
    if (this.#counts[breach] <= EXAMPLES) this.#examples.push(`${breach}: ${what}`);
  }

  take(row: LedgerRow): void {
    this.#operations++;
    const order = this.book.bySha.get(row.sha);
    if (order === undefined) this.#find("strange", `the digest ${row.sha}`);
    else if (row.outcome === null) this.#openOf.add(order.id);
    else if (row.hasLoss) this.#lossOf.add(order.id);
    if (row.outcome === null) this.#open++;
    if (row.outcome !== "settled") return;
    this.#settled++;
    this.#charged += row.amount;
    if (order === undefined) return;
    const times = (this.#settledOf.get(order.id) ?? 0) + 1;
    this.#settledOf.set(order.id, times);
    if (times > 1) this.#find("double", `order ${order.id} has ${times} charges`);
    if (order.family === "image") this.#judgeImage(row, order);
    else this.#judgeReported(row, order);
  }

  #judgeImage({ amount }: LedgerRow, order: BookedOrder): void {
    if (!this.book.madeOf.has(order.id)) this.#find("unmade", `the image of order ${order.id}`);
    if (amount !== BigInt(order.price))
      this.#find("wrong", `order ${order.id} cost ${amount} instead of ${order.price}`);
  }

  #judgeReported({ ref, amount, hold }: LedgerRow, order: BookedOrder): void {
    const made = ref === null ? undefined : this.book.made.get(ref);
    if (ref === null || made === undefined || made.id !== order.id || made.price === 0) {
      this.#find("unmade", `order ${order.id} was charged for ${ref}`);
      return;
    }
    const price = BigInt(made.price) < hold ? BigInt(made.price) : hold;
    if (amount !== price)
      this.#find("wrong", `${ref} of order ${order.id} cost ${amount} instead of ${price}`);
    if (order.refs.size > 0 && !order.refs.has(ref))
      this.#find("unlike", `order ${order.id} was charged for ${ref}, told ${[...order.refs]}`);
  }

  /** `isOver`: nothing runs any more, so nothing may be open. */
  end(isOver: boolean): Findings {
    for (const order of this.book.orders.values()) {
      const settled = this.#settledOf.get(order.id) ?? 0;
      const isOpen = this.#openOf.has(order.id);
      if (order.whole > 0 && settled === 0 && !isOpen && !order.isLost) {
        const isFree = [...order.refs].some((ref) => this.book.made.get(ref)?.price === 0);
        const isNoted = isFree && this.#lossOf.has(order.id);
        if (!isNoted)
          this.#find(isFree ? "unnoted" : "lost", `order ${order.id}, ${[...order.refs]}`);
      }
      // A request with a key may be sent again, and then be charged.
      const isDecided = isOver || !order.isKeyed;
      if (order.whole === 0 && settled > 0 && isDecided && isRefused(order))
        this.#find("refused", `order ${order.id}: ${order.refused ?? "it failed"}`);
      if (order.refs.size > 1) this.#find("unlike", `order ${order.id}: ${[...order.refs]}`);
      if (order.sent > 1 && !order.isKeyed)
        this.#find("resent", `order ${order.id}, ${order.sent} times`);
    }
    if (isOver && this.#open > 0) this.#find("open", `${this.#open} operations`);
    return {
      operations: this.#operations,
      settled: this.#settled,
      released: this.#operations - this.#settled - this.#open,
      open: this.#open,
      charged: this.#charged,
      counts: { ...this.#counts },
      examples: this.#examples,
    };
  }
}

const isRefused = ({ refused, failed }: BookedOrder) =>
  failed > 0 || (refused !== null && !chargedErrors.has(refused));
