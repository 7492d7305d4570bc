/** A proxy in front of an upstream that makes some of its exchanges fail. */
import { createServer, request as forward, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Channel } from "@/lib/upstream/provider";

/**
 * A status is returned without a request to the upstream. `cut`: the upstream gets the request, and
 * the connection is cut instead of an answer.
 */
export type InjectedFault = 429 | 500 | 503 | "cut" | null;

export interface FaultyProxy {
  readonly channel: Channel;
  /** Decides what happens to a request; may be changed at any time. */
  faultFor: (method: string, path: string) => InjectedFault;
  close(): Promise<void>;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/**
 * A channel that leads to `channel` through the proxy. Addresses inside answers are rewritten to
 * the proxy's.
 */
export async function startFaultyProxy(channel: Channel): Promise<FaultyProxy> {
  const target = new URL(channel.baseUrl);
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const body = await bytesOf(incoming);
    const fault = proxy.faultFor(method, url);
    if (typeof fault === "number") {
      outgoing
        .writeHead(fault, { "content-type": "application/json" })
        .end('{"error":{"code":"InternalServiceError","message":"spoilt"}}');
      return;
    }
    const forwarded = forward(
      { host: target.hostname, port: target.port, method, path: url, headers },
      async (answer) => {
        const bytes = await bytesOf(answer);
        if (fault === "cut") return outgoing.destroy();
        const isText = answer.headers["content-type"]?.includes("json");
        const sent = isText
          ? Buffer.from(bytes.toString().replaceAll(target.origin, origin))
          : bytes;
        const type = answer.headers["content-type"] ?? "application/octet-stream";
        outgoing
          .writeHead(answer.statusCode ?? 502, {
            "content-type": type,
            "content-length": sent.length,
          })
          .end(sent);
      },
    );
    forwarded.once("error", () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy: FaultyProxy = {
    channel: { ...channel, id: "ch_shaky", baseUrl: `${origin}${target.pathname}` },
    faultFor: () => null,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return proxy;
}
