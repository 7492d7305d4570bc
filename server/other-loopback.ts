/**
 * A server at one loopback address is reached at the other one, too: its own address is shown as
 * `localhost`, which many clients look up as ::1 first.
 */
import type { Server } from "node:http";
import { createServer, type Server as NetServer } from "node:net";

const others: Readonly<Record<string, string>> = { "127.0.0.1": "::1", "::1": "127.0.0.1" };

/** Null for a host that is no loopback address, or where the other one cannot be had. */
export function listenAtOtherLoopback(
  server: Server,
  port: number,
  host: string,
): Promise<NetServer | null> {
  const other = others[host];
  if (other === undefined) return Promise.resolve(null);
  const second = createServer((socket) => void server.emit("connection", socket));
  return new Promise((resolve) => {
    second.once("error", () => resolve(null));
    second.listen({ port, host: other, ipv6Only: true }, () => resolve(second));
  });
}
