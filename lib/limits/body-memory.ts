/**
 * The memory budget for request bodies while they are read, processed and sent: one for all, and a
 * part for each account. A request that finds it full waits a moment. Accounts take turns; the
 * uploads of one account come one after the other. So does the processor's work on them.
 */
import { RelayError } from "../failures/relay-error";
import { partOf } from "../process/worker-identity";
import { type Linked, LinkedList } from "../values/linked-list";
import { AdmissionQueue } from "./admission-queue";
import { Counts } from "./counts";
import { type BodyWork, createLargeWork, type LargeWork } from "./large-work";

export interface BodyShare {
  /**
   * Charges `bytes` more. Returns a promise when it has to wait, which rejects with `service_busy`.
   */
  charge(bytes: number): Promise<void> | undefined;
  /** The body is complete: it has `bytes` and will not grow. */
  complete(bytes: number): void;
  free(bytes: number): void;
  /** Frees what is left. */
  end(): void;
  readonly work: BodyWork;
}

export interface BodyMemory {
  /** Starts a body that may grow to `bytesMax`. `isUnpaid`: nothing is charged for the request. */
  open(accountId: string, bytesMax: number, isUnpaid?: boolean): BodyShare;
  readonly bytes: number;
}

export interface BodyMemoryBounds {
  readonly totalBytes: number;
  readonly accountBytes: number;
  readonly waitMs: number;
}

const MEBIBYTE = 1024 * 1024;
/** Several workers share the total, but each can hold the bodies of one account. */
const defaultBodyMemory: BodyMemoryBounds = {
  totalBytes: partOf(256 * MEBIBYTE, 96 * MEBIBYTE),
  accountBytes: 96 * MEBIBYTE,
  waitMs: 8_000,
};

const busy = () =>
  new RelayError("service_busy", {
    message: "Too many large requests are in progress. Nothing was charged.",
    retryAfterSeconds: 2,
  });

const tooMany = () =>
  new RelayError("key_rate_limited", {
    message:
      "This account has too many large requests in progress. Nothing was charged. Try again when one has ended.",
    retryAfterSeconds: 2,
  });

class Share implements BodyShare, Linked<Share> {
  before: Share | null = null;
  after: Share | null = null;
  #charged = 0;
  /**
   * The bytes that are reserved for this body in the account's part; zero before the first charge.
   */
  #promised = 0;
  #isOver = false;

  constructor(
    readonly memory: Memory,
    readonly accountId: string,
    readonly bytesMax: number,
    readonly work: BodyWork,
  ) {}

  charge(bytes: number): Promise<void> | undefined {
    const { memory, accountId, bytesMax } = this;
    const mayBegin = () => this.#promised > 0 || memory.mayBegin(accountId, bytesMax);
    const hasRoom = () =>
      (memory.bytes + bytes <= memory.bounds.totalBytes || memory.isFirst(this)) && mayBegin();
    const take = () => {
      if (this.#isOver) return;
      if (this.#promised === 0) {
        memory.growing.add(this);
        this.#change(0, bytesMax);
      }
      this.#change(bytes, 0);
    };
    if (memory.queue.isEmpty && hasRoom()) {
      take();
      return undefined;
    }
    return memory.queue.wait(accountId, { hasRoom, take });
  }

  complete(bytes: number): void {
    this.memory.growing.delete(this);
    if (!this.#isOver) this.#change(bytes - this.#charged, bytes - this.#promised);
    if (!this.memory.queue.isEmpty) this.memory.queue.serve();
  }

  free(bytes: number): void {
    this.#change(-Math.min(bytes, this.#charged), -Math.min(bytes, this.#promised));
  }

  end(): void {
    this.#isOver = true;
    this.memory.growing.delete(this);
    this.#change(-this.#charged, -this.#promised);
  }

  #change(charged: number, promised: number): void {
    this.#charged += charged;
    this.#promised += promised;
    this.memory.change(this.accountId, charged, promised);
  }
}

class Memory implements BodyMemory {
  bytes = 0;
  /** By account: the most bytes that its unfinished bodies may grow to. */
  readonly #promised = new Counts();
  readonly queue: AdmissionQueue;
  /** Bodies that are still arriving, the oldest first. */
  readonly growing = new LinkedList<Share>();

  constructor(
    readonly bounds: BodyMemoryBounds,
    readonly largeWork: LargeWork,
  ) {
    this.queue = new AdmissionQueue(bounds.waitMs, (accountId) =>
      this.#isOwnFull(accountId) ? tooMany() : busy(),
    );
  }

  open(accountId: string, bytesMax: number, isUnpaid = false): BodyShare {
    return new Share(this, accountId, bytesMax, this.largeWork.open(accountId, isUnpaid));
  }

  /** Whether the account's own bodies take most of its part. */
  #isOwnFull(accountId: string): boolean {
    return this.#promised.of(accountId) > this.bounds.accountBytes / 2;
  }

  /**
   * The oldest body may exceed the budget when nothing is left: otherwise all might wait for each
   * other.
   */
  isFirst(share: Share): boolean {
    return this.growing.first === share;
  }

  /**
   * A body that was started can be completed: the uploads of an account never wait for each other
   * half-way.
   */
  mayBegin(accountId: string, bytesMax: number): boolean {
    const promised = this.#promised.of(accountId);
    return promised === 0 || promised + bytesMax <= this.bounds.accountBytes;
  }

  change(accountId: string, charged: number, promised: number): void {
    this.bytes += charged;
    this.#promised.change(accountId, promised);
    if ((charged < 0 || promised < 0) && !this.queue.isEmpty) this.queue.serve();
  }
}

export const createBodyMemory = (bounds: BodyMemoryBounds = defaultBodyMemory): BodyMemory =>
  new Memory(bounds, createLargeWork());
