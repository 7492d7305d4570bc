/** Upstreams that cannot read all of a request, and answer its plainer form. */
import { expect } from "vitest";
import { type Script, sendJson } from "../upstream/test-upstream";
import type { Form, Situation } from "./situation";
import { chatAnswer, chatStream } from "./upstreams";

export const said = {
  ...chatStream([{ role: "assistant", content: "hi" }]),
  ...chatAnswer({ content: "hi" }),
};
const refusal = (message: string) =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } });

/** Refuses a request whose text has `part`, or is as it says. */
export function refusing(
  part: string | ((text: string) => boolean),
  message: string,
): Situation["upstream"] {
  const isRefused = typeof part === "string" ? (text: string) => text.includes(part) : part;
  const script =
    (form: Form): Script =>
    (response, request, count) =>
      isRefused(request.text)
        ? sendJson(response, refusal(message), 400)
        : said[form]?.(response, request, count);
  return { openai: { plain: script("plain"), stream: script("stream") } };
}

const reads = { text: "hi", calls: [], end: "stop", error: null };
const schema = { type: "object", properties: {}, additionalProperties: false };
const question = { role: "user", content: "hello" };
/** Refused once, and asked again. */
const twice: Situation["check"] = (seen) => expect(seen).toHaveLength(2);
const got = "400 for every request";

export const plainer: readonly Situation[] = [
  {
    sent: "a refusal of the role `developer`",
    thread: "EKKOLearnAI/hermes-studio#1926",
    got,
    right: "asked again at once as `system`, one charge",
    upstream: refusing(
      '"developer"',
      "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`",
    ),
    asks: {
      chat: { messages: [{ role: "developer", content: "be brief" }, question] },
      messages: {},
      responses: {
        input: [
          {
            type: "message",
            role: "developer",
            content: [{ type: "input_text", text: "be brief" }],
          },
          { type: "message", ...question },
        ],
      },
    },
    reads,
    check: (seen, spoken) => {
      expect(seen).toHaveLength(spoken === "messages" ? 1 : 2);
      if (spoken !== "messages")
        expect(seen[1]?.body.messages).toMatchObject([{ role: "system" }, { role: "user" }]);
    },
  },
  {
    sent: "a refusal of texts in parts",
    thread: "cline/cline#230",
    got,
    right: "asked again at once as one text",
    upstream: refusing(
      '"type":"text"',
      "Failed to deserialize the JSON body into the target type: messages[0]: invalid type: sequence, expected a string at line 1 column 9",
    ),
    asks: {
      chat: { messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }] },
      messages: {
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "hello" },
              { type: "text", text: "you" },
            ],
          },
        ],
      },
      responses: {
        input: [
          {
            type: "message",
            role: "user",
            content: [
              { type: "input_text", text: "hello" },
              { type: "input_text", text: "you" },
            ],
          },
        ],
      },
    },
    reads,
  },
  {
    sent: "a refusal of a schema of the answer",
    thread: "llm-exe/llm-exe#662",
    got,
    right: "asked again at once for JSON, with the schema in words",
    upstream: refusing('"json_schema"', "This response_format type is unavailable now"),
    asks: {
      chat: {
        response_format: { type: "json_schema", json_schema: { name: "a", schema, strict: true } },
      },
      messages: { output_config: { format: { type: "json_schema", schema } } },
      responses: { text: { format: { type: "json_schema", name: "a", schema, strict: true } } },
    },
    reads,
    check: twice,
  },
  {
    sent: "a refusal of `reasoning_effort`",
    thread: "run-llama/llama_index#17731",
    got,
    right: "asked again at once without it, which `x-relay-ignored-fields` says",
    upstream: refusing('"reasoning_effort"', "Unknown parameter: 'reasoning_effort'."),
    asks: {
      chat: { reasoning_effort: "low" },
      messages: { output_config: { effort: "low" } },
      responses: { reasoning: { effort: "low" } },
    },
    reads,
    check: twice,
  },
  {
    sent: "a refusal of `parallel_tool_calls`",
    thread: "Azure/azure-rest-api-specs#29545",
    got,
    right: "asked again at once without it",
    upstream: refusing(
      '"parallel_tool_calls"',
      "Unrecognized request argument supplied: parallel_tool_calls. Please contact us.",
    ),
    asks: {
      chat: { parallel_tool_calls: false },
      messages: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
      responses: { parallel_tool_calls: false },
    },
    reads,
    check: twice,
  },
  {
    sent: "a refusal of `max_tokens`",
    thread: "microsoft/clarity-agent#59",
    got,
    right: "asked again at once with `max_completion_tokens`",
    upstream: refusing(
      '"max_tokens"',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    reads,
    check: twice,
  },
  {
    sent: "a cap that is too large for the window",
    thread: "vllm-project/vllm#42474",
    got,
    right: "asked again at once with what is left of the window",
    upstream: refusing(
      '_tokens":9000',
      "This model's maximum context length is 9000 tokens. However, you requested 9000 output tokens and your prompt contains at least 100 input tokens, for a total of at least 9001 tokens.",
    ),
    asks: {
      chat: { max_tokens: 9000 },
      messages: { max_tokens: 9000 },
      responses: { max_output_tokens: 9000 },
    },
    reads,
    check: (seen) => expect(seen[1]?.text).toContain('_tokens":8900'),
  },
];
