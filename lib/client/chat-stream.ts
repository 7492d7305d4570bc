/** One chat answer, streamed from the relay to a signed-in page. */
import * as z from "zod";
import { type ToolCall, withToolCalls } from "../contract/answered-calls";
import { chatRows } from "../contract/playground-chat";
import { ask, type CallInput, RequestError } from "./call";

const row = chatRows.createChatCompletion;

export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } };

export interface ChatSent {
  model: string;
  messages: { role: "system" | "user" | "assistant"; content: string | ChatPart[] }[];
  response_format?: { type: string };
  tools?: object[];
  max_tokens?: number;
  temperature?: number;
  top_p?: number;
}

export interface ChatFacts {
  requestId: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Decimal; null until it is known. */
  points: string | null;
  finishReason: string | null;
  firstMs: number | null;
  totalMs: number;
  /** Read after it was complete, so the times are not those of the model. */
  isLate?: true;
  /** The functions that the model wants to be called, as far as they have come. */
  toolCalls?: readonly ToolCall[];
}

/** Of an answer that this page did not read as it came: its request tells the costs. */
export const factsOfRequest = (
  requestId: string,
  toolCalls: readonly ToolCall[] = [],
): ChatFacts => ({
  ...{ requestId, inputTokens: null, outputTokens: null, points: null, finishReason: null },
  ...{ firstMs: null, totalMs: 0, isLate: true },
  ...(toolCalls.length > 0 && { toolCalls }),
});

const failureLine = z.object({ error: z.object({ message: z.string(), code: z.string() }) });

async function* dataLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data:")) yield line.slice(5).trim();
  }
}

function readLine(line: string, requestId: string | null): z.infer<typeof row.answer> {
  const value: unknown = JSON.parse(line);
  const failure = failureLine.safeParse(value);
  if (failure.success)
    throw new RequestError(
      200,
      failure.data.error.code,
      failure.data.error.message,
      null,
      requestId,
    );
  return row.answer.parse(value);
}

/** The answer; while an earlier request with this key is being answered, it waits for that. */
async function askUntilAnswered(input: CallInput<typeof row>): Promise<Response> {
  for (;;) {
    try {
      return await ask(row, input);
    } catch (error) {
      const isRunning = error instanceof RequestError && error.code === "idempotency_in_progress";
      if (!isRunning) throw error;
      await pause((error.retryAfterSeconds ?? 2) * 1000, input.signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

async function begin(sent: ChatSent, idempotencyKey: string, signal: AbortSignal) {
  const request = { ...sent, stream: true, stream_options: { include_usage: true } };
  const response = await askUntilAnswered({ body: request, signal, idempotencyKey });
  const { body, headers, status, statusText } = response;
  const first = headers.get("x-relay-request-id");
  const requestId = first ?? headers.get("x-request-id");
  if (body === null) throw new RequestError(status, "unreadable", statusText, null, requestId);
  return { body, requestId, isLate: first !== null };
}

/**
 * Calls back for every piece of text. With the key of an earlier request it reads that one's answer,
 * which is not charged again. Throws `RequestError` with `code: "broken_off"` when the
 * stream ends early, and the signal's own error when it is aborted.
 */
export async function streamChat(
  sent: ChatSent,
  idempotencyKey: string,
  signal: AbortSignal,
  onPart: (text: string, facts: ChatFacts) => void,
): Promise<void> {
  const startedAt = performance.now();
  const { body, requestId, isLate } = await begin(sent, idempotencyKey, signal);
  let facts: ChatFacts = {
    requestId,
    inputTokens: null,
    outputTokens: null,
    points: null,
    finishReason: null,
    firstMs: null,
    totalMs: 0,
    ...(isLate ? { isLate } : {}),
  };
  onPart("", facts);
  try {
    for await (const line of dataLines(body)) {
      const totalMs = performance.now() - startedAt;
      if (line === "[DONE]") return onPart("", { ...facts, totalMs });
      const { choices, usage } = readLine(line, requestId);
      const text = choices[0]?.delta.content ?? "";
      const toolCalls = withToolCalls(facts.toolCalls ?? [], choices[0]?.delta.tool_calls);
      facts = {
        ...facts,
        totalMs,
        ...(toolCalls.length > 0 ? { toolCalls } : {}),
        firstMs: facts.firstMs ?? (text === "" ? null : totalMs),
        finishReason: choices[0]?.finish_reason ?? facts.finishReason,
        ...(usage
          ? {
              inputTokens: usage.prompt_tokens,
              outputTokens: usage.completion_tokens,
              points: usage.points.toFixed(6),
            }
          : {}),
      };
      onPart(text, facts);
    }
  } catch (error) {
    if (signal.aborted || error instanceof RequestError) throw error;
  }
  throw new RequestError(200, "broken_off", "The answer was interrupted.", null, requestId);
}
