/**
 * Many streams at once whose chunks come one by one. What is measured is not the request but the
 * chunk: how long it takes from the upstream to the caller.
 */
import type { Socket } from "node:net";
import { connectTo, endOfChunks, type Load, type LoadResult, resultOf } from "./load";
import { CHUNK_MS, CHUNKS, delaysIn, STAMP_LENGTH } from "./pace";

const lastChunk = endOfChunks.toString("latin1");

/** A caller that reads streams, one after the other. */
class Reader {
  readonly #socket: Socket;
  /** What may be the first part of a chunk's time or of the end; empty before an answer. */
  #tail = "";
  #isFinished = false;
  /** Resolves when the last stream has ended. */
  readonly finished: Promise<void>;

  constructor(
    load: Load,
    readonly request: Buffer,
    readonly hear: (delays: number[]) => void,
    readonly fail: () => void,
    readonly mayStart: () => boolean,
  ) {
    this.#socket = connectTo(load);
    this.#socket.on("data", (part) => this.#read(part.toString("latin1")));
    this.#socket.on("error", () => this.close());
    this.finished = new Promise((resolve) => {
      this.#socket.once("close", () => {
        if (!this.#isFinished) this.fail();
        resolve();
      });
    });
  }

  start(): void {
    this.#socket.write(this.request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(part: string): void {
    if (this.#tail === "" && !part.startsWith("HTTP/1.1 200")) {
      this.close();
      return;
    }
    const text = this.#tail + part;
    this.hear(delaysIn(text));
    const isComplete = text.endsWith(lastChunk);
    this.#tail = isComplete ? "" : text.slice(1 - STAMP_LENGTH);
    if (isComplete && this.mayStart()) this.start();
    else if (isComplete) {
      this.#isFinished = true;
      this.close();
    }
  }
}

/**
 * Starts streams for so many seconds, and waits until all have ended. `requests` of the result are
 * chunks, `failures` are streams that ended early or with an error.
 */
export async function runPacedLoad(load: Load): Promise<LoadResult> {
  const delays: number[] = [];
  let failures = 0;
  let mayStart = true;
  const startedAt = performance.now();
  const readers = Array.from(
    { length: load.callers },
    (_, index) =>
      new Reader(
        load,
        load.requests[index % load.requests.length] ?? load.requests[0],
        (more) => delays.push(...more),
        () => failures++,
        () => mayStart,
      ),
  );
  // Evenly, so that the chunks of all streams do not come at the same moment.
  for (const [index, reader] of readers.entries())
    setTimeout(() => reader.start(), (index / load.callers) * 20 * CHUNK_MS);
  await new Promise((resolve) => setTimeout(resolve, load.seconds * 1000));
  mayStart = false;
  const isOver = setTimeout(
    () => {
      for (const reader of readers) reader.close();
    },
    CHUNKS * CHUNK_MS + 10_000,
  );
  await Promise.all(readers.map(({ finished }) => finished));
  clearTimeout(isOver);
  return resultOf(delays, failures, (performance.now() - startedAt) / 1000);
}
