/** The upstream's answers to text: good ones, long ones, and hostile ones. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { pause } from "@/lib/timing/pause";
import {
  chunk,
  completion,
  sendJson,
  streamType,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";

export interface TextAnswer {
  readonly ref: string;
  readonly input: number;
  readonly output: number;
  readonly isStream: boolean;
  readonly kind: string;
}

const INPUT_PRICE = 80;
const OUTPUT_PRICE = 800;
const SLOWNESS_MS = 120;
const LONG_CHUNKS = 150;
const LONG_CHUNK = "all work and no play ".repeat(100);

/** Kinds whose answer reports usage that may be charged. */
const billable = new Set(["good", "long", "twice"]);
/** What the answer may cost, in micropoints: 0 where it reports nothing. */
export function priceOfText({ input, output, kind, isStream }: TextAnswer): number {
  // A stream with a chunk that cannot be read reports its usage all the same.
  const isBillable = billable.has(kind) || (kind === "broken" && isStream);
  return isBillable ? input * INPUT_PRICE + output * OUTPUT_PRICE : 0;
}

function usageIn({ input, output, kind }: TextAnswer): object | undefined {
  if (kind === "no-usage") return undefined;
  if (kind === "negative") return usageOf(-input, -output);
  if (kind === "text") return { prompt_tokens: "many", completion_tokens: "more" };
  return usageOf(input, output);
}

async function sendPlain(response: ServerResponse, answer: TextAnswer): Promise<void> {
  const { ref: id, kind } = answer;
  const usage = usageIn(answer);
  const text = completion(`${id} is the answer`, { id, ...(usage && { usage }) });
  if (kind === "cut") {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(text.slice(0, text.length >> 1));
    await pause(5);
    response.destroy();
  } else sendJson(response, kind === "broken" ? `${text.slice(0, -10)}]]` : text);
}

async function sendStream(response: ServerResponse, answer: TextAnswer): Promise<void> {
  const { ref: id, kind } = answer;
  response.writeHead(200, streamType);
  const say = (content: string) => response.write(chunk({ content }, { id }));
  for (const word of [`${id} `, "is ", "the ", "answer"]) {
    await pause((Math.random() * SLOWNESS_MS) / 8);
    say(word);
  }
  if (kind === "long")
    for (let n = 0; n < LONG_CHUNKS && !response.destroyed; n++) {
      if (!say(LONG_CHUNK)) await Promise.race([pause(200), once(response, "drain")]);
    }
  if (kind === "cut") return void response.destroy();
  if (kind === "broken") response.write("data: {]]\n\n");
  const usage = usageIn(answer);
  const counted = usage === undefined ? "" : usageChunk(usage);
  response.write(chunk({}, { id }, "stop") + counted + (kind === "twice" ? counted : ""));
  response.end("data: [DONE]\n\n");
}

export async function sendText(response: ServerResponse, answer: TextAnswer): Promise<void> {
  await pause(Math.random() * SLOWNESS_MS);
  switch (answer.kind) {
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "status-500":
    case "status-429":
      return sendJson(response, '{"error":{"message":"no"}}', Number(answer.kind.slice(-3)));
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>no</html>");
      return;
    default:
      return answer.isStream ? sendStream(response, answer) : sendPlain(response, answer);
  }
}
