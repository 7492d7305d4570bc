/**
 * `POST /v1/chat/completions` in the format of an OpenAI-compatible upstream, plain and streamed.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { pause } from "../timing/pause";
import { type Answer, answerFor, lastPrompt, type Segment } from "./chat-answer";
import { type ChatBody, ChatRefusal, membersOf, messagesOf } from "./chat-body";
import { type Misbehaviour, readMisbehaviour } from "./misbehaviour";
import type { RequestLog, RequestLogEntry } from "./request-log";
import { countInTurns, inputTokensOf, jsonOf } from "./tokens";

/** A streamed answer takes at most about this long, whatever its length. */
const STREAM_MS = 1_500;
/** Between its pieces. */
const STEP_MS = 12;

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

export function sandboxError(status: number): unknown {
  return {
    error: {
      message: `The prompt asked the sandbox for status ${status}.`,
      type: "sandbox_error",
      param: null,
      code: `sandbox_${status}`,
    },
  };
}

function capOf(body: ChatBody): number | null {
  const caps = [body.max_tokens, body.max_completion_tokens].filter(
    (cap): cap is number => typeof cap === "number",
  );
  return caps.length === 0 ? null : Math.min(...caps);
}

interface Reply {
  readonly entry: RequestLogEntry;
  readonly answer: Answer;
  readonly usage: unknown;
  readonly created: number;
  readonly model: unknown;
}

async function inputTokens(body: ChatBody): Promise<number> {
  const defined = [body.tools, body.functions, body.response_format].map(jsonOf);
  return (await inputTokensOf(messagesOf(body))) + (await countInTurns(defined));
}

async function prepareReply(
  body: ChatBody,
  order: Misbehaviour,
  requestLog: RequestLog,
): Promise<Reply> {
  const capTokens = capOf(body);
  const answer = await answerFor(body, order, capTokens ?? Number.POSITIVE_INFINITY);
  const entry = {
    id: `chatcmpl-sandbox-${randomUUID()}`,
    isStream: body.stream === true,
    inputTokens: await inputTokens(body),
    outputTokens: answer.outputTokens,
    capTokens,
    isDelivered: false,
  };
  requestLog.add(entry);
  const outputTokens = order.reportedTokens ?? answer.outputTokens;
  const total =
    typeof outputTokens === "number" ? entry.inputTokens + outputTokens : entry.inputTokens;
  const usage = {
    prompt_tokens: entry.inputTokens,
    completion_tokens: outputTokens,
    total_tokens: total,
  };
  const created = Math.floor(Date.now() / 1000);
  return { entry, answer, usage: order.hasNoUsage ? undefined : usage, created, model: body.model };
}

/** The message of a plain answer. */
function messageOf(segments: readonly Segment[]): unknown {
  const message: Record<string, unknown> = { role: "assistant", content: null };
  const calls: unknown[] = [];
  for (const segment of segments) {
    const text = segment.tokens.text(0, segment.tokens.length);
    if (segment.kind === "text") message.content = text;
    else if (segment.call.isLegacy)
      message.function_call = { name: segment.call.name, arguments: text };
    else
      calls.push({
        id: segment.call.id,
        type: "function",
        function: { name: segment.call.name, arguments: text },
      });
  }
  return calls.length === 0 ? message : { ...message, tool_calls: calls };
}

/** The first delta of a segment in a stream. */
function firstDelta(segment: Segment, index: number): object {
  if (segment.kind === "text") return { content: "" };
  const { id, name, isLegacy } = segment.call;
  const called = { name, arguments: "" };
  return isLegacy
    ? { function_call: called }
    : { tool_calls: [{ index, id, type: "function", function: called }] };
}

/** The delta for a further piece of a segment's text. */
function nextDelta(segment: Segment, index: number, text: string): object {
  if (segment.kind === "text") return { content: text };
  const called = { arguments: text };
  return segment.call.isLegacy
    ? { function_call: called }
    : { tool_calls: [{ index, function: called }] };
}

function sendPlain(response: ServerResponse, reply: Reply, order: Misbehaviour): void {
  const { segments, finishReason } = reply.answer;
  const text = JSON.stringify({
    id: reply.entry.id,
    object: "chat.completion",
    created: reply.created,
    model: reply.model,
    choices: [
      { index: 0, message: messageOf(segments), logprobs: null, finish_reason: finishReason },
    ],
    usage: reply.usage,
  });
  if (order.isTruncated) {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
    return;
  }
  sendJson(response, 200, order.isGarbage ? "<html>This is not JSON.</html>" : text);
  reply.entry.isDelivered = !order.isGarbage;
}

/** The deltas of an answer. Those with tokens are spread over at most about `STREAM_MS`. */
function* deltasOf(
  segments: readonly Segment[],
  perStep: number,
): Generator<{ delta: object; isTimed: boolean }> {
  const [first] = segments;
  const opening = { role: "assistant", ...(first?.kind === "text" ? {} : { content: null }) };
  if (first === undefined) yield { delta: opening, isTimed: false };
  for (const [index, segment] of segments.entries()) {
    yield {
      delta: { ...(index === 0 ? opening : {}), ...firstDelta(segment, index) },
      isTimed: false,
    };
    const { tokens } = segment;
    for (let at = 0; at < tokens.length; at += perStep) {
      yield {
        delta: nextDelta(segment, index, tokens.text(at, Math.min(at + perStep, tokens.length))),
        isTimed: true,
      };
    }
  }
}

async function sendStream(
  response: ServerResponse,
  reply: Reply,
  order: Misbehaviour,
  isUsageAsked: boolean,
): Promise<void> {
  const head = {
    id: reply.entry.id,
    object: "chat.completion.chunk",
    created: reply.created,
    model: reply.model,
  };
  const extra = isUsageAsked ? { usage: null } : {};
  const write = (delta: unknown, finishReason: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
    response.write(`data: ${JSON.stringify({ ...head, choices, ...extra })}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const { segments, outputTokens, finishReason } = reply.answer;
  const perStep = Math.max(1, Math.ceil((outputTokens * STEP_MS) / STREAM_MS));
  let written = 0;
  for (const { delta, isTimed } of deltasOf(segments, perStep)) {
    if (isTimed) await pause(STEP_MS);
    if (response.destroyed) return;
    const isSpoilt = isTimed && written >= outputTokens / 2;
    if (isTimed) written += perStep;
    if (order.isTruncated && isSpoilt) {
      response.destroy();
      return;
    }
    if (order.isGarbage && isSpoilt) response.write("data: this is not JSON\n\n");
    else write(delta);
  }
  write({}, finishReason);
  if (isUsageAsked && reply.usage !== undefined)
    response.write(`data: ${JSON.stringify({ ...head, choices: [], usage: reply.usage })}\n\n`);
  response.end("data: [DONE]\n\n");
  reply.entry.isDelivered = true;
}

/** Answers one chat request whose body was read. */
export async function answerChat(
  response: ServerResponse,
  body: ChatBody,
  requestLog: RequestLog,
): Promise<void> {
  const order = readMisbehaviour(lastPrompt(body));
  if (order.delayMs > 0) await pause(order.delayMs);
  if (order.isHanging || response.destroyed) return;
  if (order.status !== null && order.status !== 200) {
    sendJson(response, order.status, sandboxError(order.status));
    return;
  }
  try {
    const reply = await prepareReply(body, order, requestLog);
    if (body.stream === true)
      await sendStream(
        response,
        reply,
        order,
        membersOf(body.stream_options).include_usage === true,
      );
    else sendPlain(response, reply, order);
  } catch (error) {
    if (!(error instanceof ChatRefusal)) throw error;
    const { message, param, code } = error;
    sendJson(response, 400, { error: { message, type: "invalid_request_error", param, code } });
  }
}
