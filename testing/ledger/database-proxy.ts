import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { overTcp } from "../db/run-server";

/** A TCP proxy in front of PostgreSQL, with which a test can delay, drop, double or cut traffic. */
export class DatabaseProxy {
  readonly sockets = new Set<Socket>();
  isDown = false;
  /** Where new connections go. */
  targetPort = 0;
  /** Drops the server's answers without closing any connection. */
  isMute = false;
  /** Drops all traffic in both directions without closing any connection. */
  isFrozen = false;
  /** How much of what clients sent was dropped so. */
  dropped = 0;
  /**
   * Called for every answer of the server; true cuts the connection before the answer is forwarded.
   */
  cutsAnswer: (answer: Buffer) => boolean = () => false;
  cutsRequest: (request: Buffer) => boolean = () => false;
  /** True for a request that is to run twice; the client gets the first answer only. */
  doublesRequest: (request: Buffer) => boolean = () => false;
  /** True for a request that never arrives, while its connection stays open. */
  dropsRequest: (request: Buffer) => boolean = () => false;
  /** A request that arrives only then, even if its client has gone; null for the others. */
  delaysRequest: (request: Buffer) => Promise<unknown> | null = () => null;
  /** True for an answer that never arrives, while its connection stays open. */
  dropsAnswer: (answer: Buffer) => boolean = () => false;
  /** An answer that arrives only then; null for the others. */
  delaysAnswer: (answer: Buffer) => Promise<unknown> | null = () => null;
  /** When an answer arrives once more: with itself, or just before the connection's next answer. */
  repeatsAnswer: (answer: Buffer) => "at once" | "before the next" | null = () => null;
  /** How many requests were doubled. */
  doubled = 0;
  /** True for the request from which on the server stalls, until `thaw`. */
  stallsAt: (request: Buffer) => boolean = () => false;
  #isStalled = false;
  #group = 0;
  readonly #thaws: (() => void)[] = [];
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(target: string): Promise<DatabaseProxy> {
    const to = new URL(overTcp(target));
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const front = new URL(to);
    front.port = String(typeof address === "object" && address ? address.port : 0);
    const proxy = new DatabaseProxy(front.href, server);
    proxy.targetPort = Number(to.port);
    server.on("connection", (near) => proxy.join(near, dial(proxy.targetPort, to.hostname)));
    return proxy;
  }

  private join(near: Socket, far: Socket): void {
    const cut = () => {
      near.destroy();
      far.destroy();
    };
    if (this.isDown) {
      cut();
      return;
    }
    const group = this.#group;
    const isFrozen = () => this.isFrozen || group !== this.#group;
    let late = 0;
    let isLeft = false;
    const leave = () => {
      isLeft = true;
      if (late === 0) this.#whenThawed(cut);
    };
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.sockets.delete(socket);
        leave();
      });
    }
    const answers = new AnswerSkipper();
    near.on("end", () => isFrozen() || leave());
    near.on("data", (request) => {
      if (isFrozen()) {
        this.dropped++;
        return;
      }
      if (this.stallsAt(request)) this.stall();
      const delay = this.delaysRequest(request);
      if (delay !== null) {
        late++;
        void delay.then(() => {
          far.write(request);
          setTimeout(() => {
            late--;
            if (isLeft) leave();
          }, 100);
        });
        return;
      }
      this.#whenThawed(() => {
        if (this.dropsRequest(request)) return;
        if (this.cutsRequest(request)) cut();
        else far.write(request);
        if (!this.doublesRequest(request)) return;
        this.doubled++;
        answers.skipSecond();
        far.write(request);
      });
    });
    let repeated: Buffer | null = null;
    far.on("data", (answer) => {
      if (this.isMute || isFrozen() || this.dropsAnswer(answer)) return;
      const delay = this.delaysAnswer(answer);
      const repeats = this.repeatsAnswer(answer);
      const pass = (bytes: Buffer) => (near.destroyed ? undefined : near.write(bytes));
      if (this.cutsAnswer(answer)) cut();
      else if (delay !== null) void delay.then(() => pass(answer));
      else {
        pass(repeated === null ? answers.take(answer) : Buffer.concat([repeated, answer]));
        repeated = repeats === "before the next" ? answer : null;
        if (repeats === "at once") pass(answer);
      }
    });
  }

  /** From now on new connections go to `port`, and those that are open say nothing any more. */
  moveTo(port: number): void {
    this.targetPort = port;
    this.#group++;
  }

  /**
   * Holds back what the client sends until `thaw`, even if the client goes away: as when the
   * server's machine stalls.
   */
  stall(): void {
    this.#isStalled = true;
  }

  /** Forwards everything that was held back, in order. */
  thaw(): void {
    this.#isStalled = false;
    for (const go of this.#thaws.splice(0)) go();
  }

  /**
   * Ends a stall like `thaw`, but forwards only the requests for which `arrives` is true: the
   * client was killed just after it sent them.
   */
  thawAndKill(arrives: (request: Buffer) => boolean): void {
    this.#isStalled = false;
    this.isDown = true;
    this.cutsRequest = (request) => !arrives(request);
    for (const go of this.#thaws.splice(0)) go();
    setTimeout(() => this.setDown(true), 100);
  }

  #whenThawed(go: () => void): void {
    if (this.#isStalled) this.#thaws.push(go);
    else go();
  }

  setDown(isDown: boolean): void {
    this.isDown = isDown;
    if (isDown) for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.setDown(true);
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/**
 * Removes the second answer to a doubled request from the server's bytes, up to its "ready for
 * query".
 */
class AnswerSkipper {
  #buffered = Buffer.alloc(0);
  /** Second answers that are still to come. Each is removed after the first one was forwarded. */
  #seconds = 0;
  #isFirst = true;

  skipSecond(): void {
    this.#seconds++;
    this.#isFirst = true;
  }

  take(bytes: Buffer): Buffer {
    if (this.#seconds === 0) return bytes;
    this.#buffered = Buffer.concat([this.#buffered, bytes]);
    const passed: Buffer[] = [];
    while (this.#seconds > 0 && this.#buffered.length >= 5) {
      const length = 1 + this.#buffered.readInt32BE(1);
      if (this.#buffered.length < length) break;
      const message = this.#buffered.subarray(0, length);
      this.#buffered = this.#buffered.subarray(length);
      if (this.#isFirst) passed.push(message);
      if (message[0] !== READY_FOR_QUERY) continue;
      if (!this.#isFirst) this.#seconds--;
      this.#isFirst = !this.#isFirst;
    }
    if (this.#seconds === 0) {
      passed.push(this.#buffered);
      this.#buffered = Buffer.alloc(0);
    }
    return Buffer.concat(passed);
  }
}
const READY_FOR_QUERY = "Z".charCodeAt(0);

const namesBatch = (bytes: Buffer): boolean =>
  /ledger_(batch|(hold|end)(_one)?)\b/.test(bytes.toString("latin1"));
/** True for a request that carries a batch; false for heartbeats and settings. */
export const isBatchRequest = namesBatch;
/** The column of the answer has the name of the function. */
export const isBatchAnswer = (bytes: Buffer): boolean =>
  bytes.includes("SELECT 1") && namesBatch(bytes);
