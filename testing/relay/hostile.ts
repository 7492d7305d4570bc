/** An upstream on a bare socket that answers in one of the hostile ways. */
import { createServer, type Socket } from "node:net";
import { type Hostility, hostilities } from "./hostilities";

export interface HostileUpstream {
  readonly url: string;
  /** The hostile way in which the next request is answered. */
  kind: string;
  close(): Promise<void>;
}

function serve(socket: Socket, kindOf: () => string): void {
  let text = "";
  const write = (data: string | Buffer) =>
    new Promise<boolean>((resolve) => {
      if (socket.destroyed || socket.write(data)) {
        resolve(!socket.destroyed);
        return;
      }
      const settle = () => {
        socket.off("drain", settle).off("close", settle);
        resolve(!socket.destroyed);
      };
      socket.once("drain", settle).once("close", settle);
    });
  socket.on("error", () => {});
  socket.on("data", (data) => {
    text += data.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    if (end === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (text.length < end + 4 + length) return;
    const path = text.split(" ")[1] ?? "";
    const isStream = text.slice(end).includes('"stream":true');
    text = "";
    void (hostilities[kindOf()] as Hostility)(write, { path, isStream }, socket);
  });
}

export async function startHostile(): Promise<HostileUpstream> {
  const sockets = new Set<Socket>();
  const upstream = { url: "", kind: "" };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    serve(socket, () => upstream.kind);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close,
  });
}
