/** The pages' lane: everything that goes to Next, bounded before Next sees it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRelayError, RelayError } from "@/lib/failures/relay-error";
import type { PagesWatch } from "@/lib/http/pages-watch";
import { ADDRESS_HEADER } from "@/lib/http/serve-page";
import { AdmissionQueue } from "@/lib/limits/admission-queue";
import { Counts } from "@/lib/limits/counts";
import { createUnpaidWork, type UnpaidWork } from "@/lib/limits/unpaid-work";
import type { ClientAddress } from "@/lib/net/client-address";
import { boundPageBody } from "./page-body";
import { PublicPages, pageNameOf } from "./public-pages";
import { answerFailure } from "./refuse";
import type { AnswerPage } from "./rendered";
import { isPagePath, type Target, WHOLE_SERVER } from "./request-target";

export const PAGES_PER_ADDRESS_MAX = 100;
/** The most concurrent requests of all addresses. */
const PAGES_MAX = 1000;
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/**
 * How many pages are rendered at once. Rendering is processor work in steps of 20 ms: a second page
 * would make everyone else wait for both.
 */
const RENDERED_MAX = 1;
/**
 * The most concurrent requests for files and the pages' API, which mostly wait for the database.
 */
const ANSWERED_MAX = 32;
const ANSWERED_PER_ADDRESS_MAX = 8;
/**
 * A page that takes longer is waiting for something else, or its client reads slowly: others may
 * start.
 */
const RENDER_MS_MAX = 250;
const WAIT_MS_MAX = 15_000;
/**
 * One address has pages rendered for half of the time at most. What a visit needs is rendered at once: so much
 * of the rest may be left then.
 */
const RENDER_SHARE = { share: 0.5, savedMs: 400 };
/**
 * How many pages of one address may have been started and not been read by the client: each keeps
 * its unfinished part in memory.
 */
export const UNREAD_PER_ADDRESS_MAX = 4;

/** Counts requests by address, up to a bound for each and for all. */
class Places {
  readonly #byAddress = new Counts();
  #count = 0;

  constructor(
    readonly max: number,
    readonly perAddressMax: number,
  ) {}

  hasRoom(address: string): boolean {
    return this.#byAddress.of(address) < this.perAddressMax && this.#count < this.max;
  }

  enter(address: string): void {
    this.#byAddress.change(address, 1);
    this.#count++;
  }

  leave(address: string): void {
    this.#byAddress.change(address, -1);
    this.#count--;
  }
}

/** Starts pages while there is room. Waiting requests are taken from the addresses in turn. */
class PageStarts {
  readonly #places: Places;
  readonly #unread: Places;
  #timer: NodeJS.Timeout | undefined;
  readonly #queue = new AdmissionQueue(WAIT_MS_MAX, busy, PAGES_PER_ADDRESS_MAX);

  constructor(
    max: number,
    perAddressMax: number,
    unreadPerAddressMax: number,
    readonly work?: UnpaidWork,
  ) {
    this.#places = new Places(max, perAddressMax);
    this.#unread = new Places(PAGES_MAX, unreadPerAddressMax);
  }

  /** Resolves when the page may start; rejects with `service_busy`. */
  async begin(address: string, response: ServerResponse): Promise<void> {
    await this.#queue.wait(address, {
      hasRoom: () =>
        response.destroyed ||
        (this.#places.hasRoom(address) && this.#unread.hasRoom(address) && this.#isRested(address)),
      take: () => {
        this.#places.enter(address);
        this.#unread.enter(address);
      },
    });
    const forget = () => {
      this.#unread.leave(address);
      this.#queue.serve();
    };
    const startedAt = performance.now();
    const end = () => {
      clearTimeout(timer);
      response.off("prefinish", end).off("close", end);
      this.#places.leave(address);
      this.work?.note(address, performance.now() - startedAt);
      this.#queue.serve();
    };
    const timer = setTimeout(end, RENDER_MS_MAX);
    response.once("prefinish", end).once("close", end);
    if (response.closed) forget();
    else response.once("close", forget);
    if (response.destroyed) end();
  }

  /** Looks again by itself when the address has rested. */
  #isRested(address: string): boolean {
    const waitMs = this.work?.waitMs(address) ?? 0;
    if (waitMs > 0 && this.#timer === undefined)
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#queue.serve();
      }, waitMs);
    return waitMs === 0;
  }
}

const files = ["/api/", "/_next/", "/examples/"];
const isRendered = (path: string) => !files.some((start) => path.startsWith(start));

/** next-auth's own addresses answer with errors in a form of their own. */
const isPagesApi = (path: string) => path.startsWith("/api/") && !path.startsWith("/api/auth/");
const isRead = (method: string) => method === "GET" || method === "HEAD";

const busy = () => new RelayError("service_busy", { retryAfterSeconds: 1 });

/**
 * Resolves for one caller in each turn of the event loop, for the first one at once. A page works
 * for milliseconds before it waits for anything. Otherwise dozens that arrive together would start
 * in one turn, and all other requests would wait for them.
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

function timePage(response: ServerResponse, { notePage }: PagesWatch): void {
  const startedAt = performance.now();
  response.once("finish", () =>
    notePage(response.statusCode, (performance.now() - startedAt) / 1000),
  );
}

/** Marks a status of 500 and above without a retry header as final. */
function sayWhetherToRetry(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    if (given[0] >= 500 && !response.hasHeader("retry-after"))
      response.setHeader("x-should-retry", "false");
    return writeHead.apply(response, given);
  }) as typeof writeHead;
}

/** The refusal of a request line that cannot be for a page; undefined when it can. */
function refusalOf(method: string, path: string): RelayError | undefined {
  if (method === "TRACE")
    return new RelayError("method_not_allowed", { headers: { allow: METHODS } });
  return isPagePath(path) ? undefined : new RelayError("route_not_found");
}

/**
 * Replaces the client-address header that the client may have sent with the connection's real
 * address.
 */
export function pagesLane(answerPage: AnswerPage, addressOf: ClientAddress, watch?: PagesWatch) {
  const places = new Places(PAGES_MAX, PAGES_PER_ADDRESS_MAX);
  const work = createUnpaidWork(RENDER_SHARE);
  const rendering = new PageStarts(RENDERED_MAX, RENDERED_MAX, UNREAD_PER_ADDRESS_MAX, work);
  // The playground's answers stream for minutes.
  const answering = new PageStarts(ANSWERED_MAX, ANSWERED_PER_ADDRESS_MAX, PAGES_PER_ADDRESS_MAX);
  const turn = turns();
  const publicPages = new PublicPages(answerPage);
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    { path, query }: Target,
  ): Promise<void> => {
    if (watch) timePage(response, watch);
    const method = request.method ?? "";
    if (method === "OPTIONS" && path === WHOLE_SERVER) {
      response.writeHead(204, { allow: METHODS }).end();
      return;
    }
    const refusal = refusalOf(method, path);
    if (refusal) return answerFailure(response, refusal);
    const forwarded = request.headers["x-forwarded-for"];
    const address = addressOf(
      request.socket.remoteAddress ?? "",
      typeof forwarded === "string" ? forwarded : undefined,
    );
    if (!boundPageBody(request, response, path)) return;
    if (!places.hasRoom(address)) return answerFailure(response, busy());
    places.enter(address);
    response.once("close", () => places.leave(address));
    request.url = query === "" ? path : `${path}?${query}`;
    request.headers[ADDRESS_HEADER] = address;
    sayWhetherToRetry(response);
    const name = pageNameOf(request, { path, query });
    const kept = name && publicPages.find(name);
    if (kept) {
      await turn();
      return kept.answer(request, response);
    }
    try {
      if (watch && isPagesApi(path))
        watch.assertAddressHasRoom({ isWrite: !isRead(method), address });
      await (isRendered(path) ? rendering : answering).begin(address, response);
    } catch (error) {
      if (!isRelayError(error)) throw error;
      return answerFailure(response, error);
    }
    await turn();
    if (response.destroyed) return;
    if (name === null) await answerPage(request, response);
    else (publicPages.find(name) ?? (await publicPages.render(name))).answer(request, response);
  };
}
