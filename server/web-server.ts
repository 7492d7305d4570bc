/** One port, two lanes: paths of the endpoint table go straight to their endpoint, every other one to the pages. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import type { Endpoint } from "@/lib/http/exchange";
import { ADDRESS_HEADER } from "@/lib/http/site";
import { type ClientAddress, clientAddressReader, isTrustedProxy } from "@/lib/net/client-address";
import { answerByEndpoint } from "./node-lane";

export type FindEndpoint = (method: string, path: string) => Endpoint | undefined;
export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface WebServerParts {
  readonly find: FindEndpoint;
  readonly answerPage: AnswerPage;
  readonly report: (error: unknown, path: string) => void;
  /** Told of each answer of the pages. */
  readonly notePage?: (status: number, seconds: number) => void;
  /** Whose X-Forwarded-For is believed, and who may have any number of connections; absent: nobody. */
  readonly trustedProxies?: BlockList | null;
  /** How long a client may take to send a request, head and body together. */
  readonly readMilliseconds?: number;
}

export interface WebServer {
  readonly server: Server;
  /** From now on every answer ends its connection. */
  endConnections(): void;
}

const CONNECTIONS_PER_ADDRESS_MAX = 200;
/** How long an answer may take is not limited here. */
const REQUEST_READ_MILLISECONDS = 25_000;

function limitConnections(server: Server, trustedProxies: BlockList | null): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    if (isTrustedProxy(trustedProxies, address)) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > CONNECTIONS_PER_ADDRESS_MAX) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

/** The path of a request target, which is absolute when a client takes us for a proxy. */
function targetOf(request: IncomingMessage): string {
  const target = request.url as string;
  if (target.charCodeAt(0) === 47 || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

function answerBroken(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end("Something went wrong here.\n");
}

/** A page's answer of 500 and above that says nothing of trying again is final. */
function sayWhetherToRetry(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    if (given[0] >= 500 && !response.hasHeader("retry-after")) response.setHeader("x-should-retry", "false");
    return writeHead.apply(response, given);
  }) as typeof writeHead;
}

/** What the pages know of the connection: its address, in place of whatever the client sent under that name. */
function withAddress(request: IncomingMessage, addressOf: ClientAddress): IncomingMessage {
  request.headers[ADDRESS_HEADER] = addressOf(request.socket.remoteAddress ?? "", request.headers["x-forwarded-for"] as string | undefined);
  return request;
}

function timePage(response: ServerResponse, notePage: NonNullable<WebServerParts["notePage"]>): void {
  const startedAt = performance.now();
  response.once("finish", () => notePage(response.statusCode, (performance.now() - startedAt) / 1000));
}

/** Builds the server; the caller listens. Slow senders are cut off within 30 s. */
export function createWebServer(parts: WebServerParts): WebServer {
  const { find, answerPage, report, notePage, trustedProxies = null, readMilliseconds = REQUEST_READ_MILLISECONDS } = parts;
  const addressOf = clientAddressReader(trustedProxies);
  let isEnding = false;
  const options = {
    requestTimeout: readMilliseconds,
    headersTimeout: readMilliseconds,
    connectionsCheckingInterval: readMilliseconds / 8,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 32 * 1024,
    noDelay: true,
  };
  const server = createServer(options, (request, response) => {
    if (isEnding) response.shouldKeepAlive = false;
    const target = targetOf(request);
    const queryAt = target.indexOf("?");
    const path = queryAt === -1 ? target : target.slice(0, queryAt);
    const endpoint = find(request.method === "HEAD" ? "GET" : (request.method as string), path);
    if (endpoint === undefined) {
      sayWhetherToRetry(response);
      if (notePage) timePage(response, notePage);
    }
    const answered =
      endpoint === undefined
        ? answerPage(withAddress(request, addressOf), response)
        : answerByEndpoint(endpoint, request, response, path, queryAt === -1 ? "" : target.slice(queryAt + 1), addressOf);
    answered.catch((error) => {
      report(error, path);
      answerBroken(response);
    });
  });
  server.maxRequestsPerSocket = 0;
  limitConnections(server, trustedProxies);
  return {
    server,
    endConnections: () => {
      isEnding = true;
      server.closeIdleConnections();
    },
  };
}
