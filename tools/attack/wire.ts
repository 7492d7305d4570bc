/**
 * HTTP/1.1 over plain sockets: bytes are sent as given, and answers are read one after the other.
 */
import { connect, type Socket } from "node:net";

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The `Host` header. */
  readonly authority: string;
  /** The local address of connections; absent to let the system choose. */
  readonly localAddress?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The start of the body. */
  readonly body: string;
}

const KEPT_BODY_BYTES_MAX = 64 * 1024;
const HEAD_BYTES_MAX = 256 * 1024;
const endOfHead = Buffer.from("\r\n\r\n");
const nothing = Buffer.alloc(0);

type Stage = "head" | "counted" | "chunkSize" | "chunk" | "trailers" | "untilClose";

/** Splits a stream of bytes into answers. Interim answers (1xx) are skipped. */
export class AnswerReader {
  private stage: Stage = "head";
  private pending: Buffer = nothing;
  private missing = 0;
  private status = 0;
  private headers = new Map<string, string>();
  private kept: Buffer[] = [];
  private keptBytes = 0;

  constructor(
    private readonly onAnswer: (answer: Answer) => void,
    /** Answers to HEAD have no body. */
    private readonly isHead = false,
    /** How much of a body is kept; the rest is discarded. */
    private readonly keptBytesMax = KEPT_BODY_BYTES_MAX,
  ) {}

  push(part: Buffer): void {
    this.pending = this.pending.length === 0 ? part : Buffer.concat([this.pending, part]);
    while (this.step()) {}
  }

  /** The connection closed: an answer without a length ends with it. */
  end(): void {
    if (this.stage === "untilClose") this.finish();
  }

  private step(): boolean {
    if (this.stage === "head") return this.readHead();
    if (this.stage === "chunkSize" || this.stage === "trailers") return this.readLine();
    if (this.stage === "untilClose") {
      this.keep(this.pending);
      this.pending = nothing;
      return false;
    }
    const part = this.pending.subarray(0, this.missing);
    this.keep(part);
    this.missing -= part.length;
    this.pending = this.pending.subarray(part.length);
    if (this.missing > 0) return false;
    if (this.stage === "chunk") this.stage = "chunkSize";
    else this.finish();
    return this.pending.length > 0;
  }

  private readHead(): boolean {
    const end = this.pending.indexOf(endOfHead);
    if (end === -1) {
      if (this.pending.length > HEAD_BYTES_MAX) throw new Error("the head of an answer has no end");
      return false;
    }
    const [first = "", ...lines] = this.pending.toString("latin1", 0, end).split("\r\n");
    this.pending = this.pending.subarray(end + endOfHead.length);
    this.status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
    if (this.status >= 100 && this.status < 200 && this.status !== 101)
      return this.pending.length > 0;
    this.headers = new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    const length = this.headers.get("content-length");
    if (this.isHead || this.status === 204 || this.status === 304 || this.status === 101)
      this.finish();
    else if (/chunked/i.test(this.headers.get("transfer-encoding") ?? "")) this.stage = "chunkSize";
    else if (length === undefined) this.stage = "untilClose";
    else if (Number(length) === 0) this.finish();
    else {
      this.missing = Number(length);
      this.stage = "counted";
    }
    return this.pending.length > 0;
  }

  private readLine(): boolean {
    const end = this.pending.indexOf("\r\n");
    if (end === -1) return false;
    const line = this.pending.toString("latin1", 0, end);
    this.pending = this.pending.subarray(end + 2);
    if (this.stage === "trailers") {
      if (line === "") this.finish();
      return this.pending.length > 0;
    }
    // The line break after the previous chunk.
    if (line === "") return this.pending.length > 0;
    this.missing = Number.parseInt(line, 16);
    this.stage = this.missing === 0 ? "trailers" : "chunk";
    return this.pending.length > 0;
  }

  private keep(part: Buffer): void {
    if (this.keptBytes >= this.keptBytesMax) return;
    this.kept.push(part.subarray(0, this.keptBytesMax - this.keptBytes));
    this.keptBytes += part.length;
  }

  private finish(): void {
    const answer = {
      status: this.status,
      headers: this.headers,
      body: Buffer.concat(this.kept).toString("utf8"),
    };
    this.stage = "head";
    this.kept = [];
    this.keptBytes = 0;
    this.onAnswer(answer);
  }
}

export function openSocket(target: Target): Socket {
  const socket = connect({
    host: target.host,
    port: target.port,
    localAddress: target.localAddress,
    noDelay: true,
  });
  socket.on("error", () => {});
  return socket;
}

/** Writes pieces as fast as the other side reads them. Stops when the connection closes. */
export async function writeAll(socket: Socket, pieces: Iterable<Buffer>): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return;
    if (socket.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const settle = () => {
        socket.off("drain", settle).off("close", settle);
        resolve();
      };
      socket.once("drain", settle).once("close", settle);
    });
  }
}

type Ending = "answered" | "closed" | "silent";

export interface Exchange {
  readonly answers: readonly Answer[];
  readonly ending: Ending;
  readonly milliseconds: number;
}

export interface ExchangeOptions {
  /** Ends after this many answers. */
  readonly answers?: number;
  readonly timeoutMs?: number;
  readonly isHead?: boolean | undefined;
  /** How much of each body is kept. */
  readonly keptBytesMax?: number;
}

/**
 * Opens one connection: sends the pieces, reads what comes back, and returns how it ended. Never
 * rejects.
 */
export function exchange(
  target: Target,
  pieces: Iterable<Buffer>,
  options: ExchangeOptions = {},
): Promise<Exchange> {
  const { answers: wanted = 1, timeoutMs = 30_000, isHead = false, keptBytesMax } = options;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const answers: Answer[] = [];
    const socket = openSocket(target);
    const settle = (ending: Ending) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, ending, milliseconds: performance.now() - startedAt });
    };
    const timer = setTimeout(() => settle("silent"), timeoutMs);
    const reader = new AnswerReader(
      (answer) => {
        answers.push(answer);
        if (answers.length >= wanted) settle("answered");
      },
      isHead,
      keptBytesMax,
    );
    socket.on("data", (part) => reader.push(part));
    socket.once("close", () => {
      reader.end();
      settle(answers.length >= wanted ? "answered" : "closed");
    });
    socket.once("connect", () => void writeAll(socket, pieces));
  });
}
