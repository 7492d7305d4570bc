/** The scripted upstream with Ark's protocol for tasks. */
import type { ServerResponse } from "node:http";
import type { Channel } from "@/lib/upstream/provider";
import { type Script, sendJson, startUpstream } from "./test-upstream";

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
  /** The state of a task at its nth read, counted from 1; `hang`: that read gets no answer. */
  state: (task: UpstreamTask, read: number) => object | "hang";
  /** The answer to a read in place of the task. */
  read: { status: number; body: object; waitSeconds?: number } | "hang" | null;
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

/** A script that answers so, and the tasks that it has accepted: the last ones, `kept` of them. */
export function arkTasks(prefix: string, kept = Number.POSITIVE_INFINITY) {
  let count = 0;
  const tasks: UpstreamTask[] = [];
  const script: VideoScript = { submit: null, state: stepwise(succeeded()), read: null };
  const send = (response: ServerResponse, status: number, body: object) =>
    sendJson(response, JSON.stringify(body), status);

  function take(response: ServerResponse, body: Record<string, unknown>): void {
    const { submit } = script;
    if (submit === "hang") return;
    if (submit !== null && submit !== "cut") {
      send(response, submit.status, submit.body);
      return;
    }
    const task = { id: `${prefix}-${count++}`, body, reads: 0, cancelled: false };
    tasks.push(task);
    if (tasks.length > kept) tasks.shift();
    if (submit === "cut") response.destroy();
    else send(response, 200, { id: task.id });
  }

  function tell(response: ServerResponse, task: UpstreamTask | undefined, isDelete: boolean): void {
    if (script.read === "hang") return;
    if (script.read !== null) {
      const { status, body, waitSeconds } = script.read;
      if (waitSeconds !== undefined) response.setHeader("retry-after", waitSeconds);
      send(response, status, body);
    } else if (!task) send(response, 404, { error: { code: "NotFound", message: "no such task" } });
    else if (isDelete) {
      task.cancelled = true;
      send(response, 200, {});
    } else if (task.cancelled) send(response, 200, { id: task.id, status: "cancelled" });
    else {
      const state = script.state(task, ++task.reads);
      if (state !== "hang") send(response, 200, { id: task.id, model: "x", ...state });
    }
  }

  const find = (path: string) => tasks.find(({ id }) => path.endsWith(`/${id}`));
  const answer: Script = (response, { method, path, body }) =>
    method === "POST" ? take(response, body) : tell(response, find(path), method === "DELETE");
  return { script, tasks, find, answer };
}

export async function startVideoUpstream(
  id = "ch_video",
  changes: Partial<Channel> = {},
): Promise<VideoUpstream> {
  const { script, tasks, answer } = arkTasks(`cgt-${id}`);
  const { channel, url: baseUrl, close } = await startUpstream(answer, { remembers: false });
  const own = { id, name: id, protocol: "ark", baseUrl, models: {}, ...changes } as const;
  return { channel: channel(own), script, tasks, close };
}
