/** The pages' lane: everything that goes to Next, bounded before Next sees it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { RelayError } from "@/lib/errors";
import { ADDRESS_HEADER } from "@/lib/http/site";
import { Counts } from "@/lib/limits/counts";
import type { ClientAddress } from "@/lib/net/client-address";
import { boundPageBody } from "./page-body";
import { answerFailure } from "./refuse";
import { isPagePath, type Target, WHOLE_SERVER } from "./request-target";

export type AnswerPage = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Told of each answer of the pages. */
export type NotePage = (status: number, seconds: number) => void;

/** Requests of one address that may be worked on at once. */
export const PAGES_PER_ADDRESS_MAX = 100;
/** Of all addresses. */
export const PAGES_MAX = 1000;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** Counts the requests that are worked on, by address; `enter` is false where there are too many. */
class PagePlaces {
  readonly #byAddress = new Counts();
  #count = 0;

  enter(address: string): boolean {
    if (this.#byAddress.of(address) >= PAGES_PER_ADDRESS_MAX || this.#count >= PAGES_MAX) return false;
    this.#byAddress.change(address, 1);
    this.#count++;
    return true;
  }

  leave(address: string): void {
    this.#byAddress.change(address, -1);
    this.#count--;
  }
}

/**
 * Resolves for one caller in each turn of the loop, at once for the first. A page takes milliseconds before it waits for anything:
 * dozens that arrive together would otherwise be begun in one turn, and all others would wait for that.
 */
export function turns(): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const next = () => {
    const resume = waiting.shift();
    if (resume === undefined) {
      isTaken = false;
      return;
    }
    setImmediate(next);
    resume();
  };
  return () => {
    if (isTaken) return new Promise((resolve) => waiting.push(resolve));
    isTaken = true;
    setImmediate(next);
    return undefined;
  };
}

function timePage(response: ServerResponse, notePage: NotePage): void {
  const startedAt = performance.now();
  response.once("finish", () => notePage(response.statusCode, (performance.now() - startedAt) / 1000));
}

/** A page's answer of 500 and above that says nothing of trying again is final. */
function sayWhetherToRetry(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    if (given[0] >= 500 && !response.hasHeader("retry-after")) response.setHeader("x-should-retry", "false");
    return writeHead.apply(response, given);
  }) as typeof writeHead;
}

/** What the request line asks of no page; undefined when a page can be asked. */
function refusalOf(method: string, path: string): RelayError | undefined {
  if (method === "TRACE") return new RelayError("method_not_allowed", { headers: { allow: METHODS } });
  return isPagePath(path) ? undefined : new RelayError("route_not_found");
}

/** What the pages know of the connection is its address, in place of whatever the client sent under that name. */
export function pagesLane(answerPage: AnswerPage, addressOf: ClientAddress, notePage?: NotePage) {
  const places = new PagePlaces();
  const begin = turns();
  return async (request: IncomingMessage, response: ServerResponse, { path, query }: Target): Promise<void> => {
    if (notePage) timePage(response, notePage);
    const method = request.method as string;
    if (method === "OPTIONS" && path === WHOLE_SERVER) {
      response.writeHead(204, { allow: METHODS }).end();
      return;
    }
    const refusal = refusalOf(method, path);
    if (refusal) return answerFailure(response, refusal);
    const address = addressOf(request.socket.remoteAddress ?? "", request.headers["x-forwarded-for"] as string | undefined);
    if (!boundPageBody(request, response, path)) return;
    if (!places.enter(address)) return answerFailure(response, new RelayError("service_busy", { retryAfterSeconds: 1 }));
    response.once("close", () => places.leave(address));
    request.url = query === "" ? path : `${path}?${query}`;
    request.headers[ADDRESS_HEADER] = address;
    sayWhetherToRetry(response);
    await begin();
    if (!response.destroyed) await answerPage(request, response);
  };
}
