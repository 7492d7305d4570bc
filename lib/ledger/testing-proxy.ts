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
        cut();
      });
    }
    near.on("end", () => this.isFrozen || cut());
    near.on("data", (request) => {
      if (this.isFrozen) return;
      if (this.cutsRequest(request)) cut();
      else far.write(request);
    });
    far.on("data", (answer) => {
      if (this.isMute || this.isFrozen) return;
      if (this.cutsAnswer(answer)) cut();
      else near.write(answer);
    });
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

/** True for what carries a batch; heartbeats and settings pass. */
export const isBatchRequest = (bytes: Buffer): boolean => bytes.includes('[{"i":0');
export const isBatchAnswer = (bytes: Buffer): boolean => bytes.includes(";") && bytes.includes("SELECT 1");
