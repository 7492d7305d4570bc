/** Connections through an outbound proxy that an operator has named: HTTP CONNECT or SOCKS5. */
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Socket } from "node:net";
import { SocksClient } from "socks";

const TUNNEL_MS = 10_000;
const SOCKS_PORT = 1080;

/** Connects to a host by its name, which the proxy looks up. */
export type Tunnel = (hostname: string, port: number) => Promise<Socket>;

/** `PROXY_REFUSED`: the proxy does not take us. The message has no credential. */
class ProxyError extends Error {
  constructor(
    readonly code: "PROXY_REFUSED" | "PROXY_FAILED",
    message: string,
  ) {
    super(message);
  }
}

const refusals = [401, 403, 407];

function connectTunnel(proxy: URL): Tunnel {
  const { protocol, hostname, port, username, password } = proxy;
  const request = protocol === "https:" ? requestSecure : requestPlain;
  const token = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const authorization =
    username === "" ? {} : { "proxy-authorization": `Basic ${token.toString("base64")}` };
  return (target, targetPort) =>
    new Promise((resolve, reject) => {
      const host = `${target}:${targetPort}`;
      const asked = request({
        method: "CONNECT",
        hostname: hostname.replace(/^\[|\]$/g, ""),
        port: port === "" ? undefined : port,
        path: host,
        headers: { host, ...authorization },
        agent: false,
        signal: AbortSignal.timeout(TUNNEL_MS),
      });
      const refuse = (status: number | undefined) => {
        const code = refusals.includes(status ?? 0) ? "PROXY_REFUSED" : "PROXY_FAILED";
        reject(new ProxyError(code, `the proxy answered ${status}`));
        asked.destroy();
      };
      asked.on("connect", ({ statusCode }, socket, head) => {
        if (statusCode !== 200) {
          socket.destroy();
          return refuse(statusCode);
        }
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      asked.on("response", ({ statusCode }) => refuse(statusCode));
      asked.on("error", (error) =>
        reject(new ProxyError("PROXY_FAILED", `the proxy failed: ${error.message}`)),
      );
      asked.end();
    });
}

function socksTunnel({ hostname, port, username, password }: URL): Tunnel {
  const proxy = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? SOCKS_PORT : Number(port),
    type: 5 as const,
    ...(username !== "" && {
      userId: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }),
  };
  return async (target, targetPort) => {
    const destination = { host: target.replace(/^\[|\]$/g, ""), port: targetPort };
    try {
      const { socket } = await SocksClient.createConnection({
        proxy,
        command: "connect",
        destination,
        timeout: TUNNEL_MS,
      });
      return socket;
    } catch (error) {
      // The error of the library contains the options, with the password.
      const message = error instanceof Error ? error.message : "unknown";
      const code = /auth/i.test(message) ? "PROXY_REFUSED" : "PROXY_FAILED";
      throw new ProxyError(code, `the proxy failed: ${message}`);
    }
  };
}

/** `proxy`: an address with `http:`, `https:` or `socks5:`, and a user and a password where it needs them. */
export function tunnelThrough(proxy: string): Tunnel {
  const url = new URL(proxy);
  return url.protocol === "socks5:" ? socksTunnel(url) : connectTunnel(url);
}
