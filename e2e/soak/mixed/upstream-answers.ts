/** The upstream's answers to text: good ones, long ones, and hostile ones. */
import type { ServerResponse } from "node:http";
import { pause } from "@/lib/pause";

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

function usageOf({ input, output, kind }: TextAnswer): object | undefined {
  if (kind === "no-usage") return undefined;
  if (kind === "negative")
    return { prompt_tokens: -input, completion_tokens: -output, total_tokens: -input - output };
  if (kind === "text") return { prompt_tokens: "many", completion_tokens: "more" };
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

async function sendPlain(response: ServerResponse, answer: TextAnswer): Promise<void> {
  const { ref, kind } = answer;
  const message = { role: "assistant", content: `${ref} is the answer` };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const usage = usageOf(answer);
  const body = { id: ref, object: "chat.completion", created: 1, model: "recorded", choices };
  const text = JSON.stringify({ ...body, ...(usage && { usage }) });
  response.writeHead(200, { "content-type": "application/json" });
  if (kind === "cut") {
    response.write(text.slice(0, text.length >> 1));
    await pause(5);
    response.destroy();
  } else response.end(kind === "broken" ? `${text.slice(0, -10)}]]` : text);
}

async function sendStream(response: ServerResponse, answer: TextAnswer): Promise<void> {
  const { ref, kind } = answer;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const base = { id: ref, object: "chat.completion.chunk", created: 1, model: "recorded" };
  const send = (choices: object[], rest: object = {}) =>
    response.write(`data: ${JSON.stringify({ ...base, choices, ...rest })}\n\n`);
  const say = (content: string) => send([{ index: 0, delta: { content }, finish_reason: null }]);
  for (const word of [`${ref} `, "is ", "the ", "answer"]) {
    await pause((Math.random() * SLOWNESS_MS) / 8);
    say(word);
  }
  if (kind === "long")
    for (let n = 0; n < LONG_CHUNKS && !response.destroyed; n++) {
      if (!say(LONG_CHUNK)) await Promise.race([pause(200), once(response, "drain")]);
    }
  if (kind === "cut") return void response.destroy();
  if (kind === "broken") response.write("data: {]]\n\n");
  send([{ index: 0, delta: {}, finish_reason: "stop" }]);
  const usage = usageOf(answer);
  if (usage) send([], { usage });
  if (usage && kind === "twice") send([], { usage });
  response.end("data: [DONE]\n\n");
}

const once = (response: ServerResponse, event: string) =>
  new Promise<void>((resolve) => response.once(event, resolve));

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: "no", type: "server_error", code: null } }));
}

export async function sendText(response: ServerResponse, answer: TextAnswer): Promise<void> {
  await pause(Math.random() * SLOWNESS_MS);
  switch (answer.kind) {
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "status-500":
      return refuse(response, 500);
    case "status-429":
      return refuse(response, 429);
    case "html":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>no</html>");
      return;
    default:
      return answer.isStream ? sendStream(response, answer) : sendPlain(response, answer);
  }
}
