/**
 * The upstream of a soak, for text, images and videos. It notes in the book what it reports, before
 * it reports it, and tells at which step of a video it is, so that the product can be killed there.
 */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { pause } from "@/lib/timing/pause";
import { mp4Of, pngOf } from "@/testing/media/files";
import { type Script, sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { arkTasks, failed, succeeded } from "@/testing/upstream/video-upstream";
import type { Writing } from "./book";
import { priceOfText, sendText } from "./upstream-answers";

/**
 * What the product asks of the upstream for a video or an image; `…-answered`: after the answer was
 * sent. A file that is copied is of either.
 */
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
  "image",
  "image-answered",
] as const;
export type Step = (typeof steps)[number];

export interface SoakUpstream {
  readonly url: string;
  /** Calls `then` once, at the next occurrence of the step. */
  once(step: Step, then: () => void): void;
  close(): Promise<void>;
}

const VIDEO_PRICE = 1600;
/** The smallest video that the product accepts. */
export const video = mp4Of(100_000);
const TASKS_KEPT = 5_000;

/** Which tasks are made, by their number. */
export const willSucceed = (ref: string) => numberIn(ref) % 6 !== 5;
const numberIn = (ref: string) => Number(/\d+$/.exec(ref)?.[0]);
/** After how many polls a task has ended. */
const readsOf = (ref: string) => 1 + (numberIn(ref) % 3);

const anyBody = z.object({
  stream: z.boolean().optional(),
  prompt: z.string().optional(),
  size: z.string().optional(),
  messages: z.array(z.object({ content: z.unknown() })).optional(),
  content: z.array(z.object({ text: z.string().optional() })).optional(),
});

function promptOf(body: unknown): string {
  const { messages, prompt, content } = anyBody.parse(body);
  return String(messages?.[0]?.content ?? prompt ?? content?.[0]?.text ?? "");
}
const orderIn = (prompt: string) => Number(/order (\d+) of/.exec(prompt)?.[1] ?? 0);
const kindIn = (prompt: string) => / of \S+ (\S+)$/.exec(prompt)?.[1] ?? "good";

function answerTexts(book: Writing): Script {
  let count = 0;
  return async (response, { body }) => {
    const prompt = promptOf(body);
    const ref = `text-${++count}`;
    const usage = { input: 1 + (count % 7), output: 1 + (count % 61) };
    const answer = { ref, ...usage, isStream: body.stream === true, kind: kindIn(prompt) };
    book.note({ line: "made", ref, id: orderIn(prompt), price: priceOfText(answer) });
    await sendText(response, answer);
  };
}

type Reach = (step: Step, response: ServerResponse) => void;

/** Every other image is in the answer, the others have to be fetched. */
function answerImages(book: Writing, reach: Reach, origin: () => string): Script {
  let count = 0;
  return async (response, { body }) => {
    const [width = 512, height = 512] = String(body.size).split("x").map(Number);
    const id = orderIn(promptOf(body));
    book.note({ line: "sent", id });
    reach("image", response);
    await pause(Math.random() * 300);
    book.note({ line: "made", ref: `image-${++count}`, id, price: 0 });
    const inside = { b64_json: pngOf(width, height).toString("base64") };
    const image =
      count % 2 === 0 ? inside : { url: `${origin()}/result/${width}x${height}-${count}.png` };
    const usage = { output_tokens: 1 };
    sendJson(response, JSON.stringify({ created: 1, data: [image], usage }));
  };
}

/** The file of a result's address. */
function fileAt(path: string): Buffer {
  const [, width, height] = /(\d+)x(\d+)-\d+\.png$/.exec(path) ?? [];
  return width === undefined ? video : pngOf(Number(width), Number(height));
}

function answerVideos(book: Writing, reach: Reach, origin: () => string): Script {
  const { script, find, answer } = arkTasks("video", TASKS_KEPT);
  script.state = ({ id, body, reads }) => {
    if (reads < readsOf(id)) return { status: "running" };
    if (!willSucceed(id)) return failed("InternalServiceError");
    const tokens = 400 + (numberIn(id) % 97);
    const order = orderIn(promptOf(body));
    book.note({ line: "made", ref: id, id: order, price: tokens * VIDEO_PRICE });
    const content = { video_url: `${origin()}/result/${id}.mp4` };
    return succeeded(tokens, { content, resolution: "480p" });
  };
  return async (response, request, count) => {
    const { method, path, body } = request;
    if (method === "POST") {
      book.note({ line: "sent", id: orderIn(promptOf(body)) });
      reach("submit", response);
      await pause(Math.random() * 20);
    } else {
      const { id = "", reads = 0 } = find(path) ?? {};
      reach(willSucceed(id) && reads + 1 >= readsOf(id) ? "success" : "poll", response);
    }
    return answer(response, request, count);
  };
}

/** Sends a file in two halves. */
async function deliver(response: ServerResponse, path: string, reach: Reach): Promise<void> {
  const file = fileAt(path);
  reach("copy", response);
  response.writeHead(200, { "content-length": file.length });
  response.write(file.subarray(0, file.length >> 1));
  await pause(5);
  reach("copy-half", response);
  await pause(5);
  response.end(file.subarray(file.length >> 1));
}

export async function startSoakUpstream(book: Writing): Promise<SoakUpstream> {
  const waiting = new Map<string, (() => void)[]>();
  const told = (step: string) => waiting.get(step)?.shift()?.();
  const reach: Reach = (step, response) => {
    told(step);
    response.once("finish", () => told(`${step}-answered`));
  };
  const [texts, images, videos] = [
    answerTexts(book),
    answerImages(book, reach, () => upstream.url),
    answerVideos(book, reach, () => upstream.url),
  ];
  const upstream = await startUpstream(
    (response, request, count) => {
      if (request.path.startsWith("/result/")) return deliver(response, request.path, reach);
      if (request.path.endsWith("/chat/completions")) return texts(response, request, count);
      if (request.path.endsWith("/images/generations")) return images(response, request, count);
      return videos(response, request, count);
    },
    { remembers: false },
  );
  return {
    url: upstream.url,
    close: upstream.close,
    once: (step, then) => waiting.set(step, [...(waiting.get(step) ?? []), then]),
  };
}
