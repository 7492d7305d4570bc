/** `POST /mcp`: the Model Context Protocol over HTTP, without sessions. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { mcpEndpoint } from "../../contract/mcp";
import { RelayError } from "../../failures/relay-error";
import { type Incoming, isStream, type Outgoing } from "../../http/exchange";
import type { FindEndpoint } from "../../http/route-table";
import type { Log, UseCase } from "../../http/serve";
import type { RunningWork } from "../../limits/running-work";
import { askAs } from "./ask";
import { createToolServer } from "./mcp-server";

const KEEP_ALIVE_MS = 15_000;
const readHeaders = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/** The request as the SDK reads it; the body was read and bounded before. */
function requestOf(incoming: Incoming, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const name of readHeaders) {
    const value = incoming.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request("http://relay.invalid/mcp", { method: "POST", headers, signal });
}

/** A page of another site must not reach an installation in the reader's own network. */
function assertOrigin(incoming: Incoming, origin: string): void {
  const given = incoming.header("origin");
  if (given !== undefined && given !== origin) throw new RelayError("cross_site_request");
}

/** The SDK also sets `connection`, which is the server's to say. */
async function outgoingOf(response: Response, own: Record<string, string>): Promise<Outgoing> {
  const { status, body } = response;
  const type = response.headers.get("content-type");
  const headers = { ...own, "cache-control": "no-store, no-transform" };
  if (body === null || type === null) return { status, headers, body: null };
  const typed = { ...headers, "content-type": type };
  if (!type.startsWith("text/event-stream"))
    return { status, headers: typed, body: await response.text() };
  return { status, headers: { ...typed, "x-accel-buffering": "no" }, body };
}

/** Calls `release` when a streamed answer has ended, or its client has gone. */
function releasing(outgoing: Outgoing, incoming: Incoming, release: () => void): Outgoing {
  const { body } = outgoing;
  if (!isStream(body)) return outgoing;
  incoming.onGone(release);
  return { ...outgoing, body: ended(body, release) };
}

async function* ended(body: AsyncIterable<string | Uint8Array>, release: () => void) {
  try {
    yield* body;
  } finally {
    release();
  }
}

interface Deps {
  readonly publicUrl: string;
  readonly log: Log;
  readonly running: Pick<RunningWork, "isDraining">;
}

export function createMcp(
  find: FindEndpoint,
  { publicUrl, log, running }: Deps,
): UseCase<typeof mcpEndpoint> {
  const { origin } = new URL(publicUrl);
  const isDraining = () => running.isDraining;
  return async (call) => {
    const { incoming, body: parsedBody, headers } = call;
    assertOrigin(incoming, origin);
    const gone = new AbortController();
    incoming.onGone(() => gone.abort());
    const { rawBody } = call;
    const { signal } = gone;
    // The endpoints that the tools call account for the memory of the text that they are given.
    if (rawBody.images === undefined) rawBody.release();
    const ask = askAs(find, { incoming, rawBody, signal });
    const report = (err: unknown) =>
      log.error({ requestId: call.requestId, err }, "a tool failed inside");
    const handler = createMcpHandler(() => createToolServer({ ask, isDraining }, report), {
      // There is nothing to subscribe to.
      maxSubscriptions: 0,
      keepAliveMs: KEEP_ALIVE_MS,
    });
    const answer = await handler.fetch(requestOf(incoming, signal), { parsedBody });
    return releasing(await outgoingOf(answer, headers), incoming, () => rawBody.release());
  };
}
