/**
 * The upstream of a run, for text, images and videos. It notes in the book what it reports, before
 * it reports it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { pause } from "@/lib/pause";
import { mp4Of, pngOf } from "@/testing/media/files";
import type { Writing } from "./book";
import { priceOfText, sendText } from "./upstream-answers";

export interface MixedUpstream {
  readonly port: number;
  close(): Promise<void>;
}

interface Task {
  readonly id: number;
  readonly tokens: number;
  readonly willSucceed: boolean;
  readonly pollsNeeded: number;
  polls: number;
}

const VIDEO_PRICE = 1600;
/** The smallest video that the product accepts. */
const video = mp4Of(100_000);
/** Tasks that have ended are forgotten, the oldest first, beyond this many. */
const TASKS_KEPT = 50_000;

const anyBody = z.object({
  stream: z.boolean().optional(),
  prompt: z.string().optional(),
  size: z.string().optional(),
  messages: z.array(z.object({ content: z.unknown() })).optional(),
  content: z.array(z.object({ text: z.string().optional() })).optional(),
});
type Body = z.infer<typeof anyBody>;

async function readBody(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return anyBody.parse(JSON.parse(Buffer.concat(parts).toString()));
}

function promptOf({ messages, prompt, content }: Body): string {
  return String(messages?.[0]?.content ?? prompt ?? content?.[0]?.text ?? "");
}
const orderIn = (prompt: string) => Number(/order (\d+) of/.exec(prompt)?.[1] ?? 0);
const kindIn = (prompt: string) => / of \S+ (\S+)$/.exec(prompt)?.[1] ?? "good";

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function createTexts(book: Writing) {
  let count = 0;
  return async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    const prompt = promptOf(body);
    const ref = `text-${++count}`;
    const usage = { input: 1 + (count % 7), output: 1 + (count % 61) };
    const answer = { ref, ...usage, isStream: body.stream === true, kind: kindIn(prompt) };
    book.note({ line: "made", ref, id: orderIn(prompt), price: priceOfText(answer) });
    await sendText(response, answer);
  };
}

function createImages(book: Writing) {
  let count = 0;
  return async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    const [width = 512, height = 512] = String(body.size).split("x").map(Number);
    await pause(Math.random() * 300);
    book.note({ line: "made", ref: `image-${++count}`, id: orderIn(promptOf(body)), price: 0 });
    const b64_json = pngOf(width, height).toString("base64");
    sendJson(response, 200, { created: 1, data: [{ b64_json }], usage: { output_tokens: 1 } });
  };
}

function createVideos(book: Writing) {
  const tasks = new Map<string, Task>();
  let count = 0;
  async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = orderIn(promptOf(await readBody(request)));
    const ref = `video-${++count}`;
    book.note({ line: "sent", ref, id });
    const willSucceed = count % 6 !== 0;
    tasks.set(ref, {
      id,
      tokens: 400 + (count % 97),
      willSucceed,
      pollsNeeded: 1 + (count % 3),
      polls: 0,
    });
    const [oldest] = tasks.keys();
    if (tasks.size > TASKS_KEPT && oldest !== undefined) tasks.delete(oldest);
    await pause(Math.random() * 20);
    sendJson(response, 200, { id: ref });
  }
  function stateOf(ref: string, host: string | undefined): object | null {
    const task = tasks.get(ref);
    if (!task) return null;
    const base = { id: ref, model: "recorded-video", created_at: 1, updated_at: 2 };
    if (++task.polls < task.pollsNeeded) return { ...base, status: "running" };
    if (!task.willSucceed) {
      const error = { code: "InternalServiceError", message: "no" };
      return { ...base, status: "failed", error };
    }
    if (task.polls === task.pollsNeeded)
      book.note({ line: "made", ref, id: task.id, price: task.tokens * VIDEO_PRICE });
    const usage = { completion_tokens: task.tokens, total_tokens: task.tokens };
    const content = { video_url: `http://${host}/result/${ref}.mp4` };
    const facts = { resolution: "480p", ratio: "16:9", duration: 5, framespersecond: 24 };
    return { ...base, status: "succeeded", content, usage, ...facts };
  }
  function poll(ref: string, response: ServerResponse): void {
    const state = stateOf(ref, response.req.headers.host);
    if (state) sendJson(response, 200, state);
    else sendJson(response, 404, { error: { code: "NotFound", message: "none" } });
  }
  return { submit, poll };
}

export async function startMixedUpstream(book: Writing): Promise<MixedUpstream> {
  const texts = createTexts(book);
  const images = createImages(book);
  const videos = createVideos(book);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    if (path.endsWith("/chat/completions")) return texts(request, response);
    if (path.endsWith("/images/generations")) return images(request, response);
    if (path.startsWith("/result/")) {
      response.writeHead(200, { "content-type": "video/mp4", "content-length": video.length });
      response.end(video);
      return;
    }
    if (request.method === "POST") return videos.submit(request, response);
    return videos.poll(path.split("/").at(-1) ?? "", response);
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
