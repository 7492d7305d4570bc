import { createServer, connect as dial, type Server, type Socket } from "node:net";

/** A TCP proxy before PostgreSQL that a test can close, deafen or cut. */
export class DatabaseProxy {
  readonly sockets = new Set<Socket>();
  isDown = false;
  /** Swallows answers of the server without closing anything. */
  isMute = false;
  /** Swallows everything, in both directions, without closing anything. */
  isFrozen = false;
  /** Told of every answer of the server; true cuts the connection instead of passing the answer on. */
  cutsAnswer: (answer: Buffer) => boolean = () => false;
  cutsRequest: (request: Buffer) => boolean = () => false;
  /** True: the request is executed twice, and the client reads the first answer only. */
  doublesRequest: (request: Buffer) => boolean = () => false;
  /** How many requests were doubled. */
  doubled = 0;
  /** True: the server stalls from this request on, until `thaw`. */
  stallsAt: (request: Buffer) => boolean = () => false;
  #isStalled = false;
  readonly #thaws: (() => void)[] = [];
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(target: string): Promise<DatabaseProxy> {
    const to = new URL(target);
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const front = new URL(target);
    front.port = String(typeof address === "object" && address ? address.port : 0);
    const proxy = new DatabaseProxy(front.href, server);
    server.on("connection", (near) => proxy.join(near, dial(Number(to.port), to.hostname)));
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
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.sockets.delete(socket);
        this.#whenThawed(cut);
      });
    }
    const answers = new AnswerSkipper();
    near.on("end", () => this.isFrozen || this.#whenThawed(cut));
    near.on("data", (request) => {
      if (this.isFrozen) return;
      if (this.stallsAt(request)) this.stall();
      this.#whenThawed(() => {
        if (this.cutsRequest(request)) cut();
        else far.write(request);
        if (!this.doublesRequest(request)) return;
        this.doubled++;
        answers.skipSecond();
        far.write(request);
      });
    });
    far.on("data", (answer) => {
      if (this.isMute || this.isFrozen) return;
      if (this.cutsAnswer(answer)) cut();
      else near.write(answers.take(answer));
    });
  }

  /** What the client sends reaches the server only after `thaw`, whatever became of the client meanwhile: as when a server's machine stalls. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Hands on all that was kept, in its order. */
  thaw(): void {
    this.#isStalled = false;
    for (const go of this.#thaws.splice(0)) go();
  }

  /** As `thaw` of a server whose client was killed just after it sent what `arrives`: nothing else reaches the server. */
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

/** Leaves out of a server's bytes the answer to a request that was doubled: the second up to its "ready for query". */
class AnswerSkipper {
  #buffered = Buffer.alloc(0);
  /** Answers that are still to come and are left out when the one before them has passed. */
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

/** True for what carries a batch; heartbeats and settings pass. */
export const isBatchRequest = (bytes: Buffer): boolean => bytes.includes('[{"i":0');
export const isBatchAnswer = (bytes: Buffer): boolean => bytes.includes(";") && bytes.includes("SELECT 1");
