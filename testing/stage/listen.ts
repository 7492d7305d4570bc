import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";

export interface Listening {
  readonly port: number;
  /** As an HTTP address. */
  readonly origin: string;
  /** Ends all connections of an HTTP server too. */
  close(): Promise<void>;
}

/** Listens on a free port of this machine, unless one is given. */
export async function listen(server: Server, wanted = 0): Promise<Listening> {
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
        if (server instanceof HttpServer || server instanceof HttpsServer)
          server.closeAllConnections();
      }),
  };
}

/** A port that nobody listens on, so that it refuses connections. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer());
  await close();
  return port;
}
