/** What newer models, and strict templates, refuse of every request, and what they get in its place. */
import { expect } from "vitest";
import { type Script, sendJson } from "../upstream/test-upstream";
import { called } from "./client-history";
import { refusing, said } from "./plainer";
import type { PerDialect, Situation } from "./situation";
import { refusedOf as of, refusingMessages } from "./unread";

const reads = { text: "hi", calls: [], end: "stop", error: null };
const user = { role: "user", content: "hello" };
const effort: PerDialect<object> = {
  chat: { reasoning_effort: "low", max_tokens: 5000 },
  messages: { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 5000 },
  responses: { reasoning: { effort: "low" }, max_output_tokens: 5000 },
};
const highest: PerDialect<object> = {
  chat: { reasoning_effort: "xhigh" },
  messages: {},
  responses: { reasoning: { effort: "xhigh" } },
};
const pair = { temperature: 0.2, top_p: 0.9 };

/** Takes no tools unless it is told not to think. */
const thinkless = (text: string): boolean =>
  text.includes('"tools"') && !text.includes('"reasoning_effort":"none"');

const onlyStreams: Script = (response, request, count) =>
  request.body.stream === true
    ? said.stream?.(response, request, count)
    : sendJson(
        response,
        JSON.stringify({
          error: {
            code: "invalid_parameter_error",
            message: "parameter.enable_thinking must be set to false for non-streaming calls",
          },
        }),
        400,
      );

const unaskedEffort = of(
  [
    "tools beside thinking",
    "danny-avila/LibreChat#14355",
    "without thinking, which `x-relay-ignored-fields` says",
  ],
  refusing(
    thinkless,
    "Function tools with reasoning_effort are not supported for gpt-5.6-sol in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
  ),
  effort,
  (_text, body) => expect(body.reasoning_effort).toBe("none"),
);

const streamsAlone: Situation = {
  sent: "a refusal of an answer in one piece",
  thread: "coze-dev/coze-studio#324",
  got: "400 for every request that is not streamed",
  right: "asked again at once for a stream, of which the answer is made",
  upstream: { openai: { plain: onlyStreams } },
  reads,
  check: (seen) => expect(seen).toHaveLength(2),
};

export const newerModels: readonly Situation[] = [
  unaskedEffort,
  streamsAlone,
  of(
    ["thinking with a budget", "lidge-jun/opencodex#65", "with thinking as the model chooses"],
    refusingMessages(
      '"type":"enabled"',
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    ),
    effort,
    (text) => expect(text).not.toContain("budget_tokens"),
  ),
  of(
    [
      "thinking as the model chooses",
      "anthropics/claude-code#68551",
      "without it, which `x-relay-ignored-fields` says",
    ],
    refusingMessages('"adaptive"', "adaptive thinking is not supported on this model"),
    { chat: {}, messages: { thinking: { type: "adaptive" } }, responses: {} },
    (text) => expect(text).not.toContain('"thinking"'),
  ),
  of(
    [
      "`top_p` beside `temperature`, of the Messages API",
      "NeatChat/NeatChat#72",
      "without it, which `x-relay-ignored-fields` says",
    ],
    refusingMessages(
      '"top_p"',
      "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    ),
    { chat: {}, messages: pair, responses: {} },
    (text) => expect(text).toContain('"temperature"'),
  ),
  of(
    [
      "`top_p` beside `temperature`",
      "skydiscover-ai/skydiscover#15",
      "without it, which `x-relay-ignored-fields` says",
    ],
    refusing(
      '"top_p"',
      'litellm.BadRequestError: BedrockException - {"message":"The model returned the following errors: `temperature` and `top_p` cannot both be specified for this model. Please use only one."}',
    ),
    pair,
    (text) => expect(text).toContain('"temperature"'),
  ),
  of(
    [
      "an effort that it does not know",
      "router-for-me/CLIProxyAPI#1572",
      "with the next one that it knows",
    ],
    refusing(
      '"xhigh"',
      "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\", 'input': 'xhigh', 'ctx': {}}",
    ),
    highest,
    (_text, body) => expect(body.reasoning_effort).toBe("high"),
  ),
  of(
    ["turns of one side in a row", "sipeed/picoclaw#207", "with these as one"],
    refusing(
      (text) => text.includes('{"role":"user","content":"more"}'),
      "\n------------\nWhile executing CallExpression at line 47, column 32 in source:\n...== 0) %}\n^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.",
    ),
    {
      chat: { messages: [user, { role: "user", content: "more" }] },
      messages: { messages: [user, { role: "user", content: "more" }] },
      responses: { input: [user, { role: "user", content: "more" }] },
    },
    (_text, body) => expect(body.messages).toEqual([{ role: "user", content: "hello\n\nmore" }]),
  ),
  of(
    [
      "what the user says after the result of a tool",
      "mistralai/mistral-vibe#1006",
      "with a word of the model between",
    ],
    refusing(
      (text) => /"role":"tool"[^{]*\},\{"role":"user"/.test(text),
      "Unexpected role 'user' after role 'tool'",
    ),
    {
      chat: {
        messages: called("{}", "no", { role: "user", content: "more" }),
      },
      messages: {
        messages: [
          user,
          {
            role: "assistant",
            content: [{ type: "tool_use", id: "c1", name: "get_time", input: {} }],
          },
          {
            role: "user",
            content: [
              { type: "tool_result", tool_use_id: "c1", content: "no" },
              { type: "text", text: "more" },
            ],
          },
        ],
      },
      responses: {
        input: [
          user,
          { type: "function_call", call_id: "c1", name: "get_time", arguments: "{}" },
          { type: "function_call_output", call_id: "c1", output: "no" },
          { role: "user", content: "more" },
        ],
      },
    },
    (_text, body) =>
      expect(body.messages).toMatchObject([
        ...[{ role: "user" }, { role: "assistant" }, { role: "tool" }],
        ...[{ role: "assistant" }, { role: "user", content: "more" }],
      ]),
  ),
];
