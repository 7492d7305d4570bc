/**
 * A video upstream in Ark's format that records its tasks and reports each step of a request, so
 * that the product can be killed exactly there.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "@/lib/pause";

/** The requests that the product makes of the upstream; `…-answered`: after the answer was sent. */
export const steps = [
  "submit",
  "submit-answered",
  "poll",
  "poll-answered",
  "success",
  "success-answered",
  "copy",
  "copy-half",
  "copy-answered",
] as const;
export type Step = (typeof steps)[number];

export interface RecordedTask {
  readonly prompt: string;
  readonly outputTokens: number;
  readonly willSucceed: boolean;
  polls: number;
}

export interface RecordingArk {
  readonly port: number;
  /** By the upstream's task id. */
  readonly tasks: Map<string, RecordedTask>;
  /** Calls `then` once, at the next occurrence of the step. */
  once(step: Step, then: () => void): void;
  close(): Promise<void>;
}

async function readJson(
  request: IncomingMessage,
): Promise<{ content: { type: string; text?: string }[] }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

const isOver = ({ polls }: RecordedTask) => polls >= 2;

/** What a poll is answered. */
function stateOf(id: string, task: RecordedTask, host: string | undefined) {
  const base = { id, model: "booked-video", created_at: 1, updated_at: 2 };
  if (!isOver(task)) return { ...base, status: "running" };
  if (!task.willSucceed) {
    const error = { code: "InternalServiceError", message: "no" };
    return { ...base, status: "failed", error };
  }
  const usage = { completion_tokens: task.outputTokens, total_tokens: task.outputTokens };
  const content = { video_url: `http://${host}/result/${id}.mp4` };
  const made = { resolution: "480p", ratio: "16:9", duration: 5, framespersecond: 24 };
  return { ...base, status: "succeeded", content, usage, ...made };
}

/** Sends the video in two halves. */
async function deliver(
  response: ServerResponse,
  video: Uint8Array,
  reach: (step: Step) => void,
): Promise<void> {
  reach("copy");
  response.writeHead(200, { "content-type": "video/mp4", "content-length": video.length });
  response.write(video.subarray(0, video.length >> 1));
  await pause(5);
  reach("copy-half");
  await pause(5);
  response.end(video.subarray(video.length >> 1));
  response.once("finish", () => reach("copy-answered"));
}

/**
 * Starts the upstream. Four of five tasks succeed, the others fail, at their second poll. `video`
 * is the result of each success.
 */
export async function startRecordingArk(video: Uint8Array): Promise<RecordingArk> {
  const tasks = new Map<string, RecordedTask>();
  const waiting = new Map<Step, (() => void)[]>();
  let count = 0;

  const reach = (step: Step) => {
    const then = waiting.get(step)?.shift();
    if (then) then();
  };

  async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    const id = `up-${++count}`;
    const prompt = body.content.find((item) => item.type === "text")?.text ?? "";
    tasks.set(id, {
      prompt,
      outputTokens: 40_000 + (count % 997),
      willSucceed: count % 5 !== 0,
      polls: 0,
    });
    reach("submit");
    await pause(Math.random() * 10);
    sendJson(response, 200, { id });
    response.once("finish", () => reach("submit-answered"));
  }

  function read(id: string, response: ServerResponse): void {
    const task = tasks.get(id);
    if (!task) {
      sendJson(response, 404, { error: { code: "NotFound", message: "no such task" } });
      return;
    }
    task.polls++;
    const step = isOver(task) && task.willSucceed ? "success" : "poll";
    reach(step);
    sendJson(response, 200, stateOf(id, task, response.req.headers.host));
    response.once("finish", () => reach(`${step}-answered`));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    if (path.startsWith("/result/")) return deliver(response, video, reach);
    if (request.method === "POST") return submit(request, response);
    return read(path.split("/").at(-1) ?? "", response);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    tasks,
    once: (step, then) => {
      const queue = waiting.get(step) ?? [];
      queue.push(then);
      waiting.set(step, queue);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
