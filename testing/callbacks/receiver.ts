import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * A receiver that answers the nth delivery with the nth status, and all later ones with the last.
 * 0: no answer.
 */
export async function startReceiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    received.push({ headers: request.headers, body });
    const status = statuses[Math.min(received.length, statuses.length) - 1] ?? 200;
    if (status !== 0) response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close,
  };
}
