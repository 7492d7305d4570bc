import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from "node:http";
import { pause } from "@/lib/timing/pause";
import { listen } from "@/testing/stage/listen";

/** What comes later is below any window. */
const SLOW_BYTES = 60_000;

async function readAll(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return Buffer.concat(parts);
}

const QUIET_MS = 500;

/** Requests that are not answered yet: of a page, those for its fonts, styles and scripts. */
class Underway {
  readonly #requests = new Set<ServerResponse>();
  #changedAt = 0;

  begin(response: ServerResponse): void {
    this.#requests.add(response);
    response.on("close", () => this.leave(response));
    this.#changedAt = performance.now();
  }

  leave(response: ServerResponse): void {
    if (this.#requests.delete(response)) this.#changedAt = performance.now();
  }

  /** Resolves when none is left, and none came in a while. */
  async ended(): Promise<void> {
    while (this.#requests.size > 0 || performance.now() - this.#changedAt < QUIET_MS)
      await pause(20);
  }
}

interface Slowly {
  readonly others: Underway;
  readonly pieceBytes: number;
}

/** Sends the head at once, and the body in pieces, so that each is painted. */
async function sendSlowly(page: Buffer, response: ServerResponse, slowly: Slowly) {
  const { others, pieceBytes } = slowly;
  let at = page.indexOf("</head>") + "</head>".length;
  response.write(page.subarray(0, at));
  // Fonts and styles arrive before the first text, also on a machine that is busy.
  await others.ended();
  for (; at < Math.min(page.length, SLOW_BYTES); at += pieceBytes) {
    response.write(page.subarray(at, at + pieceBytes));
    await pause(20);
  }
  response.end(page.subarray(at));
}

/** Passes on what `target` answers, pages in pieces, as a busy machine paints them. */
export function startSlowServer(target: string, pieceBytes = 700) {
  const others = new Underway();
  const server = createServer((request, response) => {
    others.begin(response);
    const headers = {
      ...request.headers,
      host: new URL(target).host,
      "accept-encoding": "identity",
      ...(request.headers.origin && { origin: target }),
    };
    const options = { method: request.method, headers };
    const passed = send(new URL(request.url ?? "/", target), options, async (answer) => {
      const body = await readAll(answer);
      const { "content-length": _, "transfer-encoding": __, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 500, kept);
      if (!/html/.test(kept["content-type"] ?? "")) return void response.end(body);
      others.leave(response);
      await sendSlowly(body, response, { others, pieceBytes });
    });
    request.pipe(passed);
  });
  return listen(server);
}
