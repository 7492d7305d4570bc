/** Refusals under status 200: as the body, as the first event of a stream, or after some text. */
import { chunk } from "../upstream/test-upstream";
import { event, messageStart } from "../upstream/text-wires";
import type { Situation, Words } from "./situation";
import { block, both, openai, raw } from "./upstreams";

const busy = { status: 429, code: "upstream_concurrency_exceeded" };
const failed = { status: 502, code: "upstream_failed" };
const tooLong = { status: 400, code: "context_length_exceeded" };

/** Nothing was said, so that the refusal is an error answer, and another channel may be asked. */
const refused = (
  [sent, thread, got, right]: Words,
  upstream: Situation["upstream"],
  error: object,
  ends: Situation["ends"] = "free",
): Situation => ({
  ...{ sent: `${sent}, with status 200`, thread, got, right, upstream, ends },
  reads:
    error === tooLong
      ? { chat: { error }, messages: { error }, responses: { end: "error" } }
      : { error },
});

const errorEvent = (type: string, message: string) =>
  event("error", { error: { type, message, details: null } });

const LOSS = "502, and no other channel was asked";
const ELSEWHERE = "a refusal that cost nothing: another channel is asked";

const first: readonly Situation[] = [
  refused(
    ["`overloaded_error` as the first event", "Wei-Shaw/sub2api#5563", LOSS, ELSEWHERE],
    { anthropic: { stream: raw(errorEvent("overloaded_error", "Overloaded")) } },
    failed,
  ),
  refused(
    ["`overloaded_error` after `message_start`", "router-for-me/CLIProxyAPI#4980", LOSS, ELSEWHERE],
    { anthropic: { stream: raw(messageStart() + errorEvent("overloaded_error", "Overloaded")) } },
    failed,
  ),
  refused(
    ["`rate_limit_error` as the first event", null, LOSS, "429: another channel is asked"],
    { anthropic: { stream: raw(errorEvent("rate_limit_error", "Number of requests")) } },
    busy,
  ),
  refused(
    ["`server_is_overloaded`", "router-for-me/CLIProxyAPI#2712", LOSS, ELSEWHERE],
    openai(
      both({
        error: {
          type: "service_unavailable_error",
          code: "server_is_overloaded",
          message: "Our servers are currently overloaded. Please try again later.",
        },
      }),
    ),
    failed,
  ),
  refused(
    [
      "1305 of Z.ai as the first event",
      "tombii/better-ccflare#449",
      LOSS,
      "429: another channel is asked",
    ],
    openai(both({ error: { code: "1305", message: "该模型当前访问量过大，请您稍后再试" } })),
    busy,
  ),
  refused(
    ["a rate limit by its code", null, LOSS, "429: another channel is asked"],
    openai(
      both({
        error: {
          message: "Rate limit reached for gpt-5 in organization org_a on requests per min (RPM)",
          type: "requests",
          param: null,
          code: "rate_limit_exceeded",
        },
      }),
    ),
    busy,
  ),
  refused(
    ["an `error:` line of llama.cpp", "coddy-project/coddy-agent#106", LOSS, "the refusal"],
    openai({
      stream: raw(
        'error: {"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}\n\ndata: [DONE]\n\n',
      ),
    }),
    tooLong,
  ),
  refused(
    ["`success: false` and `errors`", null, "502, a loss", "the refusal"],
    openai(
      both({
        success: false,
        errors: [{ code: 5021, message: "This exceeded this model context window limit (8192)." }],
        result: {},
      }),
    ),
    tooLong,
  ),
  refused(
    ["an error within `Response`, as Tencent Cloud has it", null, "502, a loss", "the refusal"],
    openai(
      both({
        Response: {
          Error: { Code: "InvalidParameter", Message: "输入长度超过模型上限" },
          RequestId: "a",
        },
      }),
    ),
    tooLong,
  ),
];

const inWords: readonly Situation[] = [
  { type: "error", message: "boom" },
  { message: "Internal server error" },
  { error_message: "boom" },
  { errors: ["boom"] },
].map((body) =>
  refused(
    [`\`${JSON.stringify(body)}\``, null, "502, a loss", "an error, and no loss"],
    openai(both(body)),
    failed,
  ),
);

const page = "<!doctype html><html><title>New API</title></html>";
const PAGE = { "content-type": "text/html; charset=utf-8" };

const nothing: readonly Situation[] = [
  refused(
    ["a page of the site", "openclaw/openclaw#84697", LOSS, ELSEWHERE],
    {
      openai: { plain: raw(page, PAGE), stream: raw(page, PAGE) },
      anthropic: { plain: raw(page, PAGE), stream: raw(page, PAGE) },
    },
    { status: 502, code: "upstream_bad_response" },
  ),
  refused(
    [
      "only `[DONE]`, after comments",
      "coder/coder#26005",
      "an answer without a word, cut at its limit",
      "502, which a client tries again",
    ],
    openai({ stream: raw(": PROCESSING\n\ndata: [DONE]\n\n") }),
    failed,
    "lost",
  ),
  refused(
    ["only a role", "theopenco/llmgateway#1053", "an answer without a word", "an error"],
    openai({ stream: raw(`${chunk({ role: "assistant", content: "" })}data: [DONE]\n\n`) }),
    {},
    "lost",
  ),
];

const late = (words: Words, upstream: Situation["upstream"]): Situation => {
  const [sent, thread, got, right] = words;
  return { sent, thread, got, right, upstream, reads: { end: "error" }, ends: "lost" };
};
const AFTER = "an error event, uncharged";

const afterText: readonly Situation[] = [
  late(["a refusal after some text", "openclaw/openclaw#109313", "the same", AFTER], {
    openai: {
      stream: raw(
        `${chunk({ role: "assistant", content: "hi" })}data: {"error":{"code":"1301","message":"系统检测到输入或生成内容可能包含不安全或敏感内容"}}\n\n`,
      ),
    },
    anthropic: {
      stream: raw(
        messageStart() +
          block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" }) +
          errorEvent("overloaded_error", "Overloaded"),
      ),
    },
  }),
  late(["words of an error alone after some text", null, "an answer that is cut", AFTER], {
    openai: {
      stream: raw(
        `${chunk({ role: "assistant", content: "hi" })}event: error\ndata: {"message":"Internal server error"}\n\ndata: [DONE]\n\n`,
      ),
    },
  }),
  late(["an `error:` line after some text", "janhq/jan#5807", "an answer that is cut", AFTER], {
    openai: {
      stream: raw(
        `${chunk({ role: "assistant", content: "hi" })}error: {"code":500,"message":"out of memory"}\n\n`,
      ),
    },
  }),
];

export const toldLate: readonly Situation[] = [...first, ...inWords, ...nothing, ...afterText];
