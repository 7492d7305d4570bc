/** A scripted upstream for tests with Ark's task protocol over real HTTP. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Channel } from "@/lib/upstream/provider";

export interface UpstreamTask {
  readonly id: string;
  readonly body: Record<string, unknown>;
  reads: number;
  cancelled: boolean;
}

/** The upstream's behaviour. Tests may change it at any time. */
interface VideoScript {
  /**
   * The answer to a submit in place of an acceptance. `cut`: the upstream accepts the task, but the
   * connection breaks before the answer.
   */
  submit: { status: number; body: object } | "cut" | "hang" | null;
  /** The state of a task at its nth read, counted from 1. */
  state: (task: UpstreamTask, read: number) => object;
  /** The answer to a read in place of the task. */
  read: { status: number; body: object } | "hang" | null;
}

/** `null`: without usage. */
export const succeeded = (tokens: unknown = 108_900, facts: object = {}) => ({
  status: "succeeded",
  content: { video_url: "http://results.test/v.mp4" },
  ...(tokens === null ? {} : { usage: { completion_tokens: tokens, total_tokens: tokens } }),
  seed: 7,
  resolution: "720p",
  ratio: "16:9",
  duration: 5,
  framespersecond: 24,
  ...facts,
});
export const failed = (code: string) => ({
  status: "failed",
  error: { code, message: "secret words of the upstream" },
});
/** Queued, running, then `end`. */
export const stepwise = (end: object) => (_: UpstreamTask, read: number) =>
  read === 1 ? { status: "queued" } : read === 2 ? { status: "running" } : end;

export interface VideoUpstream {
  readonly channel: Channel;
  readonly script: VideoScript;
  readonly tasks: UpstreamTask[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : JSON.parse(text);
}

const channelAt = (id: string, port: number): Channel => ({
  id,
  name: id,
  protocol: "ark",
  baseUrl: `http://127.0.0.1:${port}`,
  apiKey: "upstream-key",
  models: {},
  requestsPerSecond: 0,
  requestsPerMinute: 0,
  priority: 0,
  weight: 1,
  timeoutSeconds: null,
});

export async function startVideoUpstream(
  id = "ch_video",
  changes: Partial<Channel> = {},
): Promise<VideoUpstream> {
  const tasks: UpstreamTask[] = [];
  const script: VideoScript = { submit: null, state: stepwise(succeeded()), read: null };
  const send = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  function take(response: ServerResponse, body: Record<string, unknown>): void {
    const { submit } = script;
    if (submit === "hang") return;
    if (submit !== null && submit !== "cut") {
      send(response, submit.status, submit.body);
      return;
    }
    const task: UpstreamTask = {
      id: `cgt-${id}-${tasks.length}`,
      body,
      reads: 0,
      cancelled: false,
    };
    tasks.push(task);
    if (submit === "cut") response.destroy();
    else send(response, 200, { id: task.id });
  }

  function tell(response: ServerResponse, task: UpstreamTask | undefined, isDelete: boolean): void {
    if (script.read === "hang") return;
    if (script.read !== null) send(response, script.read.status, script.read.body);
    else if (!task) send(response, 404, { error: { code: "NotFound", message: "no such task" } });
    else if (isDelete) {
      task.cancelled = true;
      send(response, 200, {});
    } else if (task.cancelled) send(response, 200, { id: task.id, status: "cancelled" });
    else send(response, 200, { id: task.id, model: "x", ...script.state(task, ++task.reads) });
  }

  const server: Server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method === "POST") take(response, body);
    else
      tell(
        response,
        tasks.find((task) => request.url?.endsWith(`/${task.id}`)),
        request.method === "DELETE",
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    channel: { ...channelAt(id, port), ...changes },
    script,
    tasks,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
