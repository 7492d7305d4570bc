/** The scripted upstream in front of another one: some of the exchanges fail. */
import type { Channel } from "@/lib/upstream/provider";
import { sendJson, startUpstream } from "./test-upstream";

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

/**
 * A channel that leads to `channel` through the proxy. Addresses inside answers are rewritten to
 * the proxy's.
 */
export async function startFaultyProxy(channel: Channel): Promise<FaultyProxy> {
  const { origin, pathname } = new URL(channel.baseUrl);
  const upstream = await startUpstream(async (response, { method, path, headers, body }) => {
    const fault = proxy.faultFor(method, path);
    if (typeof fault === "number") {
      const text = '{"error":{"code":"InternalServiceError","message":"spoilt"}}';
      return sendJson(response, text, fault);
    }
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: headers.authorization ?? "" },
      body: method === "POST" ? JSON.stringify(body) : null,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (fault === "cut") return void response.destroy();
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    const isText = type.includes("json");
    const sent = isText ? bytes.toString().replaceAll(origin, upstream.url) : bytes;
    const length = Buffer.byteLength(sent);
    response.writeHead(answer.status, { "content-type": type, "content-length": length }).end(sent);
  });
  const proxy: FaultyProxy = {
    channel: { ...channel, id: "ch_shaky", baseUrl: `${upstream.url}${pathname}` },
    faultFor: () => null,
    close: upstream.close,
  };
  return proxy;
}
