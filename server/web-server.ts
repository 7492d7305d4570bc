/**
 * One port, two lanes: paths of the endpoint table go directly to their endpoint, all others to the
 * pages.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type BlockList, Server as NetServer, type Socket } from "node:net";
import type { Endpoint } from "@/lib/http/exchange";
import type { PagesWatch } from "@/lib/http/pages-watch";
import { Counts } from "@/lib/limits/counts";
import { clientAddressReader, isTrustedProxy } from "@/lib/net/client-address";
import { partOf } from "@/lib/process/worker-identity";
import { pause } from "@/lib/timing/pause";
import { answerBrokenRequests, HEAD_BYTES_MAX } from "./broken-requests";
import { serveInTurn } from "./in-turn";
import { answerByEndpoint } from "./node-lane";
import { pagesLane } from "./pages-lane";
import { wasRefused } from "./refuse";
import type { AnswerPage } from "./rendered";
import { targetOf } from "./request-target";
import { withinTurnBudget } from "./turn-budget";

type FindEndpoint = (method: string, path: string) => Endpoint | undefined;

export interface WebServerDeps {
  readonly find: FindEndpoint;
  readonly answerPage: AnswerPage;
  readonly report: (error: unknown, path: string) => void;
  readonly pages?: PagesWatch;
  /**
   * Proxies whose X-Forwarded-For is trusted, and which may open any number of connections; absent
   * for none.
   */
  readonly trustedProxies?: BlockList | null | undefined;
  /** How long a client may take to send a request, head and body together. */
  readonly readMilliseconds?: number | undefined;
  /** Handles requests with an Upgrade header. Without it they are answered as if they had none. */
  readonly onUpgrade?:
    | ((request: IncomingMessage, socket: Socket, head: Buffer) => void)
    | undefined;
}

export interface WebServer {
  readonly server: Server;
  /** From now on every answer closes its connection. */
  endConnections(): void;
  /**
   * Accepts no new connections. The ones that are open are served on, and each closes with its next
   * answer, or when it was idle for `quietMs`: a client may be sending into an idle one. Resolves
   * when all are closed.
   */
  retire(quietMs: number): Promise<void>;
}

/** Connections are passed to the workers in turn, so an address has about as many at each. */
const CONNECTIONS_PER_ADDRESS_MAX = Math.min(200, partOf(400));
const RETIRE_LOOK_MS = 100;
/** Limits the time to send a request; the time of an answer is not limited here. */
const REQUEST_READ_MILLISECONDS = 25_000;

function limitConnections(server: Server, trustedProxies: BlockList | null): void {
  const open = new Counts();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (isTrustedProxy(trustedProxies, address)) return;
    if (open.of(address) >= CONNECTIONS_PER_ADDRESS_MAX) {
      socket.destroy();
      return;
    }
    open.change(address, 1);
    socket.once("close", () => open.change(address, -1));
  });
}

/**
 * As soon as there is a listener for 'upgrade', Node passes requests with an Upgrade header to it
 * and no longer answers them. Next adds its own listener with the first page, so all but
 * `onUpgrade` are removed.
 */
function limitUpgrades(server: Server, onUpgrade: WebServerDeps["onUpgrade"]): void {
  if (onUpgrade) server.on("upgrade", onUpgrade);
  server.on("newListener", (event: string, listener: (...values: unknown[]) => void) => {
    if (event === "upgrade") process.nextTick(() => server.off("upgrade", listener));
  });
  // Clients send this to a proxy. Node would close the connection without an answer.
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {});
    socket.end("HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
}

function answerBroken(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(500, { "content-type": "text/plain; charset=utf-8" })
      .end("Internal server error.\n");
}

/** Creates the server; the caller makes it listen. Slow senders are disconnected within 30 s. */
export function createWebServer(deps: WebServerDeps): WebServer {
  const {
    find,
    answerPage,
    report,
    trustedProxies = null,
    readMilliseconds = REQUEST_READ_MILLISECONDS,
  } = deps;
  const addressOf = clientAddressReader(trustedProxies);
  const answerByPage = pagesLane(answerPage, addressOf, deps.pages);
  let isEnding = false;
  const options = {
    requestTimeout: readMilliseconds,
    headersTimeout: readMilliseconds,
    connectionsCheckingInterval: readMilliseconds / 8,
    keepAliveTimeout: 65_000,
    maxHeaderSize: HEAD_BYTES_MAX,
    noDelay: true,
  };
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (isEnding) response.shouldKeepAlive = false;
    const target = targetOf(request);
    const { path } = target;
    const endpoint = find(request.method === "HEAD" ? "GET" : (request.method ?? ""), path);
    const answered =
      endpoint === undefined
        ? answerByPage(request, response, target)
        : answerByEndpoint(endpoint, request, response, target, addressOf);
    answered.catch((error) => {
      // A request that was refused while it arrived has its answer already.
      if (response.writableEnded || (response.headersSent && wasRefused(response))) return;
      report(error, path);
      answerBroken(response);
    });
  };
  const budgeted = withinTurnBudget(serve, ({ socket, headers }) => {
    const forwarded = headers["x-forwarded-for"];
    return addressOf(
      socket.remoteAddress ?? "",
      typeof forwarded === "string" ? forwarded : undefined,
    );
  });
  const server = createServer(options, serveInTurn(budgeted));
  server.maxRequestsPerSocket = 0;
  limitConnections(server, trustedProxies);
  limitUpgrades(server, deps.onUpgrade);
  answerBrokenRequests(server);
  return {
    server,
    endConnections: () => {
      isEnding = true;
      server.closeIdleConnections();
    },
    async retire(quietMs) {
      isEnding = true;
      let isOpen = true;
      // HTTP's own `close` would also close the idle connections at once.
      NetServer.prototype.close.call(server, () => {
        isOpen = false;
      });
      for (const quietAt = performance.now() + quietMs; isOpen; await pause(RETIRE_LOOK_MS))
        if (performance.now() > quietAt) server.closeIdleConnections();
    },
  };
}
