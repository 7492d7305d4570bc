/** `POST /v1/chat/completions` as an OpenAI-compatible upstream answers it, plain and streamed. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Book, BookEntry } from "./book";
import { type Misbehaviour, readMisbehaviour } from "./misbehaviour";
import { replyTokens } from "./reply";
import { inputTokensOf, textOf } from "./tokens";

interface ChatBody {
  readonly model?: unknown;
  readonly messages?: readonly { readonly role?: unknown; readonly content: unknown }[];
  readonly stream?: unknown;
  readonly stream_options?: { readonly include_usage?: unknown };
  readonly max_tokens?: unknown;
  readonly max_completion_tokens?: unknown;
}

/** A streamed reply takes about this long, however many words it has. */
const STREAM_MS = 1_500;
const WORD_MS = 12;
const STEP_MS_MIN = 4;

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

export function sandboxError(status: number): unknown {
  return {
    error: { message: `The sandbox was asked for status ${status}.`, type: "sandbox_error", param: null, code: `sandbox_${status}` },
  };
}

function capOf(body: ChatBody): number | null {
  const caps = [body.max_tokens, body.max_completion_tokens].filter((cap): cap is number => typeof cap === "number");
  return caps.length === 0 ? null : Math.min(...caps);
}

function lastPrompt(body: ChatBody): string {
  const prompts = (body.messages ?? []).filter((message) => message?.role === "user");
  return textOf(prompts.at(-1)?.content);
}

interface Reply {
  readonly entry: BookEntry;
  readonly tokens: readonly string[];
  readonly finishReason: "stop" | "length";
  readonly usage: unknown;
  readonly created: number;
  readonly model: unknown;
}

function prepareReply(body: ChatBody, prompt: string, order: Misbehaviour, book: Book): Reply {
  const capTokens = capOf(body);
  const { tokens, isCut } = replyTokens(prompt, order, capTokens ?? Number.POSITIVE_INFINITY);
  const inputTokens = inputTokensOf(body.messages ?? []);
  const entry = {
    id: `chatcmpl-sandbox-${randomUUID()}`,
    isStream: body.stream === true,
    inputTokens,
    outputTokens: tokens.length,
    capTokens,
    isDelivered: false,
  };
  book.add(entry);
  const outputTokens = order.reportedTokens ?? tokens.length;
  const total = typeof outputTokens === "number" ? inputTokens + outputTokens : inputTokens;
  const usage = { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total };
  const created = Math.floor(Date.now() / 1000);
  return {
    entry,
    tokens,
    finishReason: isCut ? "length" : "stop",
    usage: order.hasNoUsage ? undefined : usage,
    created,
    model: body.model,
  };
}

function sendPlain(response: ServerResponse, reply: Reply, order: Misbehaviour): void {
  const message = { role: "assistant", content: reply.tokens.join("") };
  const text = JSON.stringify({
    id: reply.entry.id,
    object: "chat.completion",
    created: reply.created,
    model: reply.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finishReason }],
    usage: reply.usage,
  });
  if (order.isTruncated) {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
    return;
  }
  sendJson(response, 200, order.isGarbage ? "<html>This is not JSON.</html>" : text);
  reply.entry.isDelivered = !order.isGarbage;
}

async function sendStream(response: ServerResponse, reply: Reply, order: Misbehaviour, isUsageAsked: boolean): Promise<void> {
  const head = { id: reply.entry.id, object: "chat.completion.chunk", created: reply.created, model: reply.model };
  const extra = isUsageAsked ? { usage: null } : {};
  const write = (delta: unknown, finishReason: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
    response.write(`data: ${JSON.stringify({ ...head, choices, ...extra })}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  write({ role: "assistant", content: "" });
  const stepMs = Math.max(STEP_MS_MIN, Math.min(WORD_MS, STREAM_MS / Math.max(1, reply.tokens.length)));
  const perStep = Math.max(1, Math.ceil((reply.tokens.length * stepMs) / STREAM_MS));
  for (let at = 0; at < reply.tokens.length; at += perStep) {
    await wait(stepMs);
    if (response.destroyed) return;
    if (order.isTruncated && at >= reply.tokens.length / 2) {
      response.destroy();
      return;
    }
    if (order.isGarbage && at >= reply.tokens.length / 2) response.write("data: this is not JSON\n\n");
    else write({ content: reply.tokens.slice(at, at + perStep).join("") });
  }
  write({}, reply.finishReason);
  if (isUsageAsked && reply.usage !== undefined)
    response.write(`data: ${JSON.stringify({ ...head, choices: [], usage: reply.usage })}\n\n`);
  response.end("data: [DONE]\n\n");
  reply.entry.isDelivered = true;
}

/** Answers one chat request whose body was read. */
export async function answerChat(response: ServerResponse, body: ChatBody, book: Book): Promise<void> {
  const prompt = lastPrompt(body);
  const order = readMisbehaviour(prompt);
  if (order.delayMs > 0) await wait(order.delayMs);
  if (order.isHanging || response.destroyed) return;
  if (order.status !== null && order.status !== 200) {
    sendJson(response, order.status, sandboxError(order.status));
    return;
  }
  const reply = prepareReply(body, prompt, order, book);
  if (body.stream === true) await sendStream(response, reply, order, body.stream_options?.include_usage === true);
  else sendPlain(response, reply, order);
}
