/**
 * What the client reads of a streamed answer, through all attempts at it. While nothing comes, it
 * is told every 10 to 15 seconds that the answer is still being made: proxies end a silent
 * connection, and the client would send its request again.
 */
import { resolvers } from "../../timing/resolvers";
import type { StreamControl } from "../../upstream/provider";
import { ChunkQueue } from "./chunk-queue";

/** A silence is at least this long when it is broken, and at most half as long again. */
const QUIET_MS = 10_000;
const TICKS_OF_QUIET = 2;

export class ClientStream {
  readonly queue = new ChunkQueue(
    () => this.#control?.resume(),
    () => this.#onClientGone(),
  );
  #control: StreamControl | null = null;
  #ticks = 0;
  #isKeptAlive = false;
  readonly #timer: NodeJS.Timeout;
  readonly #quiet = resolvers<"quiet">();

  constructor(
    /** The text that says that the answer is still being made. */
    readonly keepAlive: string,
    readonly onGone: () => void,
    quietMs: number = QUIET_MS,
  ) {
    this.#timer = setInterval(() => this.#tick(), quietMs / TICKS_OF_QUIET);
  }

  /** Resolves at the first silence that is to be broken. */
  get quiet(): Promise<"quiet"> {
    return this.#quiet.promise;
  }

  /** True once the client was told something before the answer's first chunk, or within it. */
  get isKeptAlive(): boolean {
    return this.#isKeptAlive;
  }

  get isGone(): boolean {
    return this.queue.isClosed;
  }

  get isFull(): boolean {
    return this.queue.isFull;
  }

  /** The attempt whose answer is read from now on. */
  read(control: StreamControl): void {
    this.#control = control;
  }

  push(text: string): void {
    if (text === "") return;
    // The tick that follows is the first of a silence only if nothing came since the one before it.
    this.#ticks = -1;
    this.queue.push(text);
  }

  end(): void {
    clearInterval(this.#timer);
    this.queue.end();
  }

  /** The client is gone, or counts as gone. */
  close(): void {
    this.queue.close();
  }

  #onClientGone(): void {
    clearInterval(this.#timer);
    this.onGone();
    this.#control?.resume();
  }

  #tick(): void {
    if (++this.#ticks < TICKS_OF_QUIET) return;
    this.#ticks = 0;
    this.#isKeptAlive = true;
    this.#quiet.resolve("quiet");
    // What waits for a slow reader breaks the silence, too.
    if (this.queue.isEmpty) this.queue.push(this.keepAlive);
  }
}
