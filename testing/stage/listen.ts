import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

export interface Listening {
  readonly port: number;
  /** As an HTTP address. */
  readonly origin: string;
  /** Ends all connections, too. */
  close(): Promise<void>;
}

/** Listens on a free port of this machine, unless one is given. */
export async function listen(server: Server, wanted = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A port that nobody listens on, so that it refuses connections. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
