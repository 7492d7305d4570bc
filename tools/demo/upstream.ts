/**
 * The upstream of the demo's channels while it is served: the sandbox, at a fixed address and with a
 * path for each channel. The tasks that the history left open stay as they are.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { builtInModels } from "@/lib/catalog/built-in";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";
import { sandboxName } from "@/lib/sandbox/sandbox-name";

interface DemoUpstream {
  close(): Promise<void>;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** 2.50 USD per million tokens in, 8.00 out. */
const ratios = { quota_type: 0, model_ratio: 1.25, completion_ratio: 3.2 };

const refusal = (code: string, message: string) => ({ error: { code, message, type: "Demo" } });

/** What the upstream of "Harbor Text", a new-api, says of its prices and of our account there. */
const told: Readonly<Record<string, object>> = {
  "/api/pricing": {
    data: builtInModels
      .filter(({ family }) => family === "text")
      .map((model) => ({ model_name: sandboxName(model), ...ratios })),
  },
  "/harbor/v1/dashboard/billing/subscription": { hard_limit_usd: 100 },
  "/harbor/v1/dashboard/billing/usage": { total_usage: 3580 },
};

/** The queued tasks of the history that were cancelled since this was started. */
const cancelled = new Set<string>();

/** Answers for a task of the history. */
function answerOpenTask(
  response: ServerResponse,
  method: string | undefined,
  id: string,
  state: string,
): void {
  const now = Math.floor(Date.now() / 1000);
  if (state === "silent")
    sendJson(response, 503, refusal("ServiceUnavailable", "Try again later."));
  else if (method !== "DELETE") {
    const status = cancelled.has(id) ? "cancelled" : state;
    sendJson(response, 200, { id, status, created_at: now - 60, updated_at: now });
  } else if (state === "queued") {
    cancelled.add(id);
    sendJson(response, 200, {});
  } else sendJson(response, 409, refusal("OperationDenied.TaskRunning", "The task is running."));
}

/** The answer, with addresses of results below this server instead of the sandbox's own. */
async function pass(
  answer: IncomingMessage,
  response: ServerResponse,
  from: string,
  to: string,
): Promise<void> {
  const { "content-length": _, ...headers } = answer.headers;
  if (!answer.headers["content-type"]?.startsWith("application/json")) {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    return pipeline(answer, response);
  }
  const parts: Uint8Array[] = [];
  for await (const part of answer) parts.push(part);
  const text = Buffer.concat(parts).toString("utf8").replaceAll(from, to);
  response.writeHead(answer.statusCode ?? 502, headers).end(text);
}

function forward(
  { channel }: Sandbox,
  incoming: IncomingMessage,
  response: ServerResponse,
  [name, path]: readonly [name: string, path: string],
): Promise<void> {
  const { origin } = new URL(channel.baseUrl);
  const own = `http://${incoming.headers.host}/${name}`;
  const target = path.startsWith("/results/") ? origin : channel.baseUrl;
  const headers = { ...incoming.headers, authorization: `Bearer ${channel.apiKey}` };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${target}${path}`, { method: incoming.method, headers }, (answer) =>
      pass(answer, response, origin, own).then(resolve, reject),
    );
    outgoing.once("error", reject);
    incoming.pipe(outgoing);
  });
}

async function answer(
  sandbox: Sandbox,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const known = told[incoming.url ?? ""];
  if (known !== undefined) {
    sendJson(response, 200, known);
    return;
  }
  const [, name, path] = /^\/([a-z]+)(?:\/v1|\/api\/v3)?(\/.*)$/.exec(incoming.url ?? "") ?? [];
  if (name === undefined || path === undefined) {
    sendJson(response, 404, refusal("NotFound", "There is nothing here."));
    return;
  }
  const [, id, state] = /\/(demo-(running|queued|silent)-[\w-]+)$/.exec(path) ?? [];
  if (id !== undefined && state !== undefined) answerOpenTask(response, incoming.method, id, state);
  else await forward(sandbox, incoming, response, [name, path]);
}

export async function startDemoUpstream(port: number): Promise<DemoUpstream> {
  const sandbox = await startSandbox();
  const server = createServer((incoming, response) => {
    answer(sandbox, incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await sandbox.close();
    },
  };
}
