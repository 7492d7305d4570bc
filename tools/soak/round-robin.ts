/** One address for several servers: each new connection goes to the next server that accepts it. */
import { connect, createServer, type Socket } from "node:net";
import { listen } from "@/testing/stage/listen";

export interface RoundRobin {
  readonly url: string;
  close(): void;
}

export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  let turn = 0;
  const open = new Set<Socket>();
  const join = (client: Socket, triesLeft: number) => {
    if (triesLeft === 0) return void client.destroy();
    const server = connect(ports[turn++ % ports.length] ?? 0, "127.0.0.1");
    open.add(server);
    let isJoined = false;
    server.once("connect", () => {
      isJoined = true;
      client.pipe(server).pipe(client);
    });
    server.once("error", () => (isJoined ? client.destroy() : join(client, triesLeft - 1)));
    server.once("close", () => {
      open.delete(server);
      if (isJoined) client.destroy();
    });
    client.once("close", () => server.destroy());
  };
  const server = createServer((client) => {
    open.add(client);
    client.on("error", () => {}).once("close", () => open.delete(client));
    join(client, ports.length);
  });
  const { origin } = await listen(server);
  return {
    url: origin,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
