/**
 * The sandbox upstream: an HTTP server on a loopback port with Ark's wire format, and with OpenAI's
 * for videos, so that adapters run over real HTTP.
 */
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BodyScanner } from "../json/body-scanner";
import { parseScannedJson } from "../json/strict-json";
import { newSandboxCredential, type SandboxAddress } from "../process/worker-identity";
import { nextTurn } from "../timing/next-turn";
import type { Channel } from "../upstream/provider";
import { answerChat, sendJson } from "./chat-completions";
import { answerImage } from "./images";
import { createRequestLog, type RequestLog } from "./request-log";
import { createResults, type Results } from "./results";
import { servedModels } from "./served-models";
import { createStudio, type Studio } from "./studio";
import { answerVideoJob, submitVideoJob } from "./video-jobs";
import { createVideoTasks, type VideoTasks } from "./video-tasks";

const SANDBOX_CHANNEL_ID = "sandbox";
/** As much as the relay itself accepts, with the files of a form encoded, and what the relay adds. */
const BODY_BYTES_MAX = 56 * 1024 * 1024;
const TEXT_BYTES_MAX = 5 * 1024 * 1024;
const IDLE_CONNECTION_MS = 60_000;

export interface Sandbox {
  readonly channel: Channel;
  readonly requestLog: RequestLog;
  close(): Promise<void>;
}

/**
 * Reads and parses a body without its encoded images, which the sandbox never uses. Null when it is
 * too large or no valid JSON.
 */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const scanner = new BodyScanner({ textBytesMax: TEXT_BYTES_MAX, takesImagesOut: true });
  const parts: AsyncIterable<Buffer> = request;
  let size = 0;
  try {
    for await (const part of parts) {
      size += part.length;
      if (size > BODY_BYTES_MAX) return null;
      scanner.push(part);
    }
    await nextTurn();
    const text = scanner.end();
    scanner.releaseImages();
    await nextTurn();
    return await parseScannedJson(text, scanner.members);
  } catch {
    return null;
  }
}

const refusal = (message: string, code: string) => ({
  error: { message, type: "invalid_request_error", param: null, code },
});

function isAuthorized(request: IncomingMessage, credential: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${credential}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

interface SandboxDeps {
  readonly credential: string;
  readonly origin: () => string;
  readonly requestLog: RequestLog;
  readonly studio: Studio;
  readonly results: Results;
  readonly pace: number;
  readonly tasks: VideoTasks;
}

const API = "/api/v3";
const TASKS = `${API}/contents/generations/tasks`;
const VIDEOS = `${API}/videos`;

async function answerPost(
  deps: SandboxDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (typeof body !== "object" || body === null)
    return sendJson(response, 400, refusal("The body is not a JSON object.", "invalid_json"));
  if (request.url === `${API}/chat/completions`) return answerChat(response, body, deps.requestLog);
  if (request.url === `${API}/images/generations`)
    return answerImage(response, body, deps.origin(), deps);
  if (request.url === TASKS) return deps.tasks.submit(response, body);
  if (request.url === VIDEOS) return submitVideoJob(deps.tasks, response, body);
  sendJson(response, 404, refusal("Not found.", "not_found"));
}

async function answer(
  deps: SandboxDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = "" } = request;
  // A result's address is its own credential.
  if (method === "GET" && deps.results.answer(url, response)) return;
  if (!isAuthorized(request, deps.credential)) {
    sendJson(response, 401, refusal("The credential is wrong.", "invalid_api_key"));
    return;
  }
  const taskId = url.startsWith(`${TASKS}/`) ? url.slice(TASKS.length + 1) : null;
  if (method === "POST") return answerPost(deps, request, response);
  if (url.startsWith(`${VIDEOS}/`))
    return answerVideoJob(deps, request, response, url.slice(VIDEOS.length + 1));
  if (method === "GET" && taskId !== null) return deps.tasks.read(response, taskId, deps.origin());
  if (method === "DELETE" && taskId !== null) return deps.tasks.cancel(response, taskId);
  if (method === "GET" && url === "/book")
    return sendJson(response, 200, {
      seen: deps.requestLog.seen,
      entries: deps.requestLog.entries,
    });
  sendJson(response, 404, refusal("Not found.", "not_found"));
}

/** The channel to the sandbox at a place. */
export const sandboxChannel = ({ origin, credential }: SandboxAddress): Channel => ({
  id: SANDBOX_CHANNEL_ID,
  name: "Sandbox",
  protocol: "ark",
  baseUrl: `${origin}${API}`,
  apiKey: credential,
  get models() {
    return servedModels();
  },
  requestsPerSecond: 0,
  requestsPerMinute: 0,
  priority: Number.MIN_SAFE_INTEGER,
  weight: 1,
  timeoutSeconds: null,
  outputCap: "as_sent",
});

interface SandboxOptions {
  /** With 0 tasks take only as long as their drawing. */
  readonly pace?: number;
  /** Absent for any free port. */
  readonly port?: number;
  readonly credential?: string;
  /** Draws the results; absent for one of its own. It is closed with the sandbox. */
  readonly studio?: Studio;
}

/** Starts the sandbox on a loopback port with a credential of its own. */
export async function startSandbox({
  pace = 1,
  port = 0,
  credential = newSandboxCredential(),
  studio = createStudio(),
}: SandboxOptions = {}): Promise<Sandbox> {
  const requestLog = createRequestLog();
  const results = createResults();
  const making = { requestLog, studio, results, pace };
  const deps: SandboxDeps = {
    ...making,
    credential,
    origin: () => origin,
    tasks: createVideoTasks(making),
  };
  const server = createServer((request, response) => {
    answer(deps, request, response).catch(() => response.destroy());
  });
  // Client and server share an event loop. On a busy one the client must not reuse an idle
  // connection that the server has just closed.
  server.keepAliveTimeout = IDLE_CONNECTION_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  server.unref();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requestLog,
    channel: sandboxChannel({ origin, credential }),
    close: async () => {
      server.closeAllConnections();
      await Promise.all([studio.close(), new Promise((resolve) => server.close(resolve))]);
    },
  };
}
