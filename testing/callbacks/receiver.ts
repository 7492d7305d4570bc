import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../stage/listen";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The signature that a receiver with the secret (`whsec_…`) computes for a delivery. */
export function signed({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

/**
 * A receiver that answers the nth delivery with the nth status, and all later ones with the last.
 * 0: no answer.
 */
export async function startReceiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const status = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
    if (status !== 0) response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
  });
  const { origin, close } = await listen(server);
  return { url: `${origin}/hook`, received, close };
}
