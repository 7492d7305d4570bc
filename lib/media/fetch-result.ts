/** Downloads an upstream's result, from its channel's own origin or a global address only. */
import { Agent, type Dispatcher } from "undici";
import { errorCode } from "../failures/relay-error";
import { upstreamConnector } from "../net/connect-upstream";
import { canDecode, codingOf, decoded } from "../net/content-coding";
import { AddressRefused, createGuardedAgent } from "../net/guarded-agent";
import { tunnelThrough } from "../net/proxy-tunnel";
import type { Channel } from "../upstream/provider";
import type { MediaKind } from "./sniff";

/**
 * A result that cannot be fetched. `isFinal`: trying again cannot help. The message contains no
 * address and no text from outside.
 */
export class ResultError extends Error {
  constructor(
    message: string,
    readonly isFinal: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export interface FetchBounds {
  readonly bytesMax: number;
  /** The limit for the whole download. */
  readonly totalMs: number;
}

const MEBIBYTE = 1024 * 1024;
export const REDIRECTS_MAX = 3;
const HEADERS_MS = 30_000;
const IDLE_MS = 30_000;
export const fetchHeaders = { accept: "*/*", "accept-encoding": "identity", "user-agent": "relay" };

/** A picture of a video is not worth a wait: the video is charged after it. */
export const thumbnailBounds: FetchBounds = { bytesMax: 8 * MEBIBYTE, totalMs: 10_000 };

export const fetchBounds: Readonly<Record<MediaKind, FetchBounds>> = {
  video: { bytesMax: 512 * MEBIBYTE, totalMs: 300_000 },
  image: { bytesMax: 64 * MEBIBYTE, totalMs: 120_000 },
};

/** The channel whose upstream made a result. */
export interface ResultOrigin extends Pick<Channel, "baseUrl" | "headers" | "proxy"> {
  /**
   * The credential that the file needs; absent when its address is enough. As the channel's headers,
   * it is sent to the channel's own origin, and to no address of a redirect.
   */
  readonly bearer?: string | null;
}

export interface ResultFetcher {
  /**
   * The bytes behind `url`. Both the call and the stream reject with a `ResultError`. The stream
   * must be read or returned.
   */
  fetch(
    channel: ResultOrigin,
    url: string,
    bounds: FetchBounds,
  ): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

/** The next address. Throws a `ResultError` for one that cannot be used. */
export function hopOf(address: string, base: string | undefined): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new ResultError("the result's address cannot be used", true);
  if (url.username !== "" || url.password !== "")
    throw new ResultError("the result's address has a credential", true);
  return url;
}

/** Where an answer of `url` leads; null where it leads nowhere. Throws as `hopOf` does. */
export function redirectOf(
  { statusCode, headers: { location } }: Dispatcher.ResponseData,
  url: URL,
): URL | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  return isRedirect && typeof location === "string" ? hopOf(location, url.href) : null;
}

/** Words a failure below HTTP. */
export function failureOf(error: unknown, coding: string | null = null): ResultError {
  if (error instanceof ResultError) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AddressRefused)
      return new ResultError("the result's address is not public", true);
  }
  const reason = errorCode(error) ?? (error instanceof Error ? error.name : "unknown");
  const encoded = coding === null ? "" : `, encoded as ${coding}`;
  return new ResultError(`the result could not be downloaded: ${reason}${encoded}`, false, error);
}

/** The bound is on what is decoded, if the answer is encoded although `identity` was asked for. */
async function* bounded(
  { body, headers }: Pick<Dispatcher.ResponseData, "body" | "headers">,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const coding = codingOf(headers);
  const parts: AsyncIterable<Uint8Array> = coding === null ? body : decoded(body, coding);
  let total = 0;
  try {
    for await (const part of parts) {
      total += part.byteLength;
      if (total > bytesMax)
        throw new ResultError(`the result is larger than ${bytesMax} bytes`, true);
      yield part;
    }
  } catch (error) {
    throw failureOf(error, coding);
  } finally {
    body.destroy();
  }
}

/** Statuses below 500 after which the file may still come. */
const passing = [408, 425, 429];
/** With a credential, these say that the operator must renew it. */
const refusing = [401, 403];

/** Throws when the answer is not a file. */
function assertFile(
  { statusCode, headers }: Dispatcher.ResponseData,
  bytesMax: number,
  hadCredential: boolean,
): void {
  if (statusCode !== 200) {
    const isFinal =
      statusCode >= 400 &&
      statusCode < 500 &&
      !passing.includes(statusCode) &&
      !(hadCredential && refusing.includes(statusCode));
    throw new ResultError(`the result's server answered ${statusCode}`, isFinal);
  }
  if (Number(headers["content-length"]) > bytesMax)
    throw new ResultError(`the result is larger than ${bytesMax} bytes`, true);
  const coding = codingOf(headers);
  if (coding !== null && !canDecode(coding))
    throw new ResultError(`the result is encoded as ${coding}`, true);
}

export function createResultFetcher(guarded: Agent = createGuardedAgent()): ResultFetcher {
  const own = new Map<string, Agent>();
  /** Of the channel's own address: reached as the channel is. */
  function agentOf(proxy = ""): Agent {
    const known = own.get(proxy);
    if (known !== undefined) return known;
    const tunnel = proxy === "" ? null : tunnelThrough(proxy);
    const agent = new Agent({ connect: upstreamConnector({ timeout: 10_000 }, tunnel) });
    own.set(proxy, agent);
    return agent;
  }

  async function follow(
    { baseUrl, bearer, headers, proxy }: ResultOrigin,
    address: string,
    bounds: FetchBounds,
  ): Promise<AsyncIterable<Uint8Array>> {
    const signal = AbortSignal.timeout(bounds.totalMs);
    const channelOrigin = new URL(baseUrl).origin;
    let url = hopOf(address, undefined);
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const isOwn = url.origin === channelOrigin;
      const dispatcher = isOwn ? agentOf(proxy) : guarded;
      const credential = isOwn && hop === 0 && bearer ? { authorization: `Bearer ${bearer}` } : {};
      const answer = await dispatcher.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: "GET",
        headers: { ...fetchHeaders, ...(isOwn && hop === 0 && headers), ...credential },
        signal,
        headersTimeout: HEADERS_MS,
        bodyTimeout: IDLE_MS,
      });
      try {
        const next = redirectOf(answer, url);
        if (next !== null) {
          url = next;
          answer.body.on("error", () => {}).destroy();
          continue;
        }
        assertFile(answer, bounds.bytesMax, "authorization" in credential);
      } catch (error) {
        answer.body.on("error", () => {}).destroy();
        throw error;
      }
      return bounded(answer, bounds.bytesMax);
    }
    throw new ResultError(`the result was redirected more than ${REDIRECTS_MAX} times`, true);
  }

  return {
    fetch: async (channel, url, bounds) => {
      try {
        return await follow(channel, url, bounds);
      } catch (error) {
        throw failureOf(error);
      }
    },
    async close() {
      await Promise.all([...own.values(), guarded].map((agent) => agent.destroy()));
    },
  };
}
