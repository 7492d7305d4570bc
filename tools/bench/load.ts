/**
 * The load generator: raw keep-alive sockets. Each sends the same bytes again as soon as its answer
 * is complete.
 */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface LoadResult {
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Where the requests go. */
export interface Address {
  readonly port: number;
  /** This machine by default. */
  readonly host?: string;
  readonly isTls?: boolean;
}

export interface Load extends Address {
  readonly callers: number;
  readonly seconds: number;
  /** The callers take them in turns. */
  readonly requests: readonly [Buffer, ...Buffer[]];
}

export function connectTo({ host = "127.0.0.1", port, isTls = false }: Address): Socket {
  if (!isTls) return connect({ host, port, noDelay: true });
  return connectTls({ host, port, servername: host }).setNoDelay(true);
}

export const endOfChunks = Buffer.from("0\r\n\r\n");
const endOfHeaders = Buffer.from("\r\n\r\n");

/**
 * How many bytes of an answer are missing: a count from `content-length`, or -1 for an answer that
 * ends with its last chunk.
 */
function missingAfterHeaders(answer: Buffer, headersEnd: number): number {
  const headers = answer.toString("latin1", 0, headersEnd).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(headers);
  return length ? headersEnd + 4 + Number(length[1]) - answer.length : -1;
}

class Caller {
  private readonly socket: Socket;
  private pending: Buffer | null = null;
  private missing = 0;
  private status = 0;
  private sentAt = 0;

  constructor(
    load: Load,
    private readonly request: Buffer,
    private readonly done: (milliseconds: number, isOk: boolean) => boolean,
  ) {
    this.socket = connectTo(load);
    this.socket.on("data", (part) => this.read(part));
    this.socket.on("error", () => this.done(0, false));
  }

  send(): void {
    this.pending = null;
    this.status = 0;
    this.sentAt = performance.now();
    this.socket.write(this.request);
  }

  close(): void {
    this.socket.destroy();
  }

  private read(part: Buffer): void {
    if (this.status === 0) {
      const answer: Buffer = this.pending ? Buffer.concat([this.pending, part]) : part;
      const headersEnd = answer.indexOf(endOfHeaders);
      if (headersEnd < 0) {
        this.pending = answer;
        return;
      }
      this.status = Number(answer.toString("latin1", 9, 12));
      this.missing = missingAfterHeaders(answer, headersEnd);
      if (this.missing === -1) this.finishWhenLastChunk(answer);
      else if (this.missing <= 0) this.finish();
      return;
    }
    if (this.missing === -1) {
      this.finishWhenLastChunk(part);
      return;
    }
    this.missing -= part.length;
    if (this.missing <= 0) this.finish();
  }

  private finishWhenLastChunk(part: Buffer): void {
    if (part.subarray(-endOfChunks.length).equals(endOfChunks)) this.finish();
  }

  private finish(): void {
    if (this.done(performance.now() - this.sentAt, this.status === 200)) this.send();
  }
}

/** The time that a share of all is at most; `sorted` begins with the shortest. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const medianOf = (times: readonly number[]): number =>
  quantile(
    [...times].sort((a, b) => a - b),
    0.5,
  );

/** `times`: of each request, in milliseconds. */
export function resultOf(times: number[], failures: number, seconds: number): LoadResult {
  times.sort((a, b) => a - b);
  const [p50Ms, p99Ms] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { requests: times.length, failures, seconds, p50Ms, p99Ms };
}

/** Loads one address for a while and returns the measurements. */
export function runLoad(load: Load): Promise<LoadResult> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let failures = 0;
    const started = performance.now();
    const callers: Caller[] = [];
    const done = (milliseconds: number, isOk: boolean): boolean => {
      if (isOk) times.push(milliseconds);
      else failures++;
      return performance.now() - started < load.seconds * 1000;
    };
    const { requests } = load;
    for (let index = 0; index < load.callers; index++)
      callers.push(new Caller(load, requests[index % requests.length] ?? requests[0], done));
    for (const caller of callers) caller.send();
    setTimeout(
      () => {
        for (const caller of callers) caller.close();
        resolve(resultOf(times, failures, load.seconds));
      },
      load.seconds * 1000 + 250,
    );
  });
}
