/**
 * An upstream that answers as the server of llama-cpp-python 0.3 does: no usage in streams, even when
 * it is asked for; `max_completion_tokens` ignored, so the answer fills the context; a tool that is
 * asked for by name ignored as well.
 */
import type { ServerResponse } from "node:http";
import { startUpstream, streamType, type TestUpstream } from "./test-upstream";

const CONTEXT_TOKENS = 512;
const PROMPT_TOKENS = 49;
const head = { id: "chatcmpl-f73f8b68", created: 1_795_415_487, model: "x" };
const words = (count: number) =>
  Array.from({ length: count }, (_, at) => ` ${String.fromCharCode(97 + (at % 26))}q`);

function answerWhole(response: ServerResponse, tokens: number): void {
  const message = { content: words(tokens).join(""), role: "assistant" };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "length" }];
  const usage = {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: tokens,
    total_tokens: PROMPT_TOKENS + tokens,
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
}

function answerStreamed(response: ServerResponse, tokens: number): void {
  const send = (delta: object, reason: string | null = null) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: reason }];
    const chunk = { ...head, object: "chat.completion.chunk", choices };
    response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
  };
  response.writeHead(200, streamType);
  send({ role: "assistant" });
  for (const content of words(tokens)) send({ content });
  send({}, "length");
  response.end("data: [DONE]\r\n\r\n");
}

export const startScriptedLlama = (): Promise<TestUpstream> =>
  startUpstream((response, { method, body }) => {
    if (method === "GET") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"object":"list","data":[{"id":"x","object":"model","owned_by":"me"}]}');
      return;
    }
    const left = CONTEXT_TOKENS - PROMPT_TOKENS;
    const tokens = typeof body.max_tokens === "number" ? Math.min(body.max_tokens, left) : left;
    (body.stream === true ? answerStreamed : answerWhole)(response, tokens);
  });
