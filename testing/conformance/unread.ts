/** Choices, schemas and fields that an upstream cannot read, and what it gets in their place. */
import { expect } from "vitest";
import { type Script, sendJson } from "../upstream/test-upstream";
import { signedCall } from "./carried";
import { refusing } from "./plainer";
import { type Form, forDialect, type PerDialect, type Situation } from "./situation";
import { block, messageAnswer, messageStream } from "./upstreams";

const got = "400 for every request";
const reads = { text: "hi", calls: [], end: "stop", error: null };

export const refusedOf = (
  [sent, thread, right]: readonly [sent: string, thread: string | null, right: string],
  upstream: Situation["upstream"],
  asks: PerDialect<object>,
  check: (text: string, body: Record<string, unknown>) => void,
): Situation => ({
  ...{ sent: `a refusal of ${sent}`, thread, got, right: `asked again at once ${right}` },
  ...{ upstream, asks, reads },
  check: (seen, spoken) => {
    // A dialect that has no such thing asks for nothing.
    if (Object.keys(forDialect(asks, spoken)).length === 0) return;
    expect(seen).toHaveLength(2);
    check(seen[1]?.text ?? "", seen[1]?.body ?? {});
  },
});
const of = (
  sent: string,
  thread: string | null,
  right: string,
  refused: Parameters<typeof refusing>,
  asks: PerDialect<object>,
  check: (text: string, body: Record<string, unknown>) => void,
) => refusedOf([sent, thread, right], refusing(...refused), asks, check);

const forced: PerDialect<object> = {
  chat: { tool_choice: "required" },
  messages: { tool_choice: { type: "any" } },
  responses: { tool_choice: "required" },
};
const none: PerDialect<object> = {
  chat: { tool_choice: "none" },
  messages: { tool_choice: { type: "none" } },
  responses: { tool_choice: "none" },
};

const parameters = {
  $schema: "http://json-schema.org/draft-07/schema#",
  ...{ type: "object", additionalProperties: false, required: ["city", "gone"] },
  properties: {
    city: { $ref: "#/$defs/city" },
    at: { type: ["string", "null"], format: "uri", exclusiveMinimum: 1 },
    names: { type: "array" },
    unit: { const: "C" },
    one: { oneOf: [{ type: "string" }, { type: "integer" }] },
  },
  $defs: { city: { type: "string", description: "a city" } },
};
const plain = {
  type: "object",
  required: ["city"],
  properties: {
    city: { type: "string", description: "a city" },
    at: { type: "string", nullable: true },
    names: { type: "array", items: { type: "string" } },
    unit: { type: "string", enum: ["C"] },
    one: { anyOf: [{ type: "string" }, { type: "integer" }] },
  },
};

/** The same of an upstream of the Messages API. */
export const refusingMessages = (part: string, message: string): Situation["upstream"] => {
  const answers = {
    ...messageStream([block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" })]),
    ...messageAnswer([{ type: "text", text: "hi" }]),
  };
  const refused = JSON.stringify({ error: { message, type: "invalid_request_error" } });
  const script =
    (form: Form): Script =>
    (response, request, count) =>
      request.text.includes(part)
        ? sendJson(response, refused, 400)
        : answers[form]?.(response, request, count);
  return { anthropic: { plain: script("plain"), stream: script("stream") } };
};

export const unread: readonly Situation[] = [
  {
    sent: "a refusal of a forced call, of the Messages API",
    thread: "deepseek-ai/awesome-deepseek-integration#598",
    ...{ got, right: "asked again at once with the choice left to the model" },
    upstream: refusingMessages(
      '"tool_choice"',
      "deepseek-reasoner does not support this tool_choice",
    ),
    ...{ asks: forced, reads },
    check: (seen) => expect(seen).toHaveLength(2),
  },
  {
    sent: "a refusal of a temperature, of the Messages API",
    ...{ got, right: "asked again at once without it, which `x-relay-ignored-fields` says" },
    upstream: refusingMessages('"temperature"', "temperature: Extra inputs are not permitted"),
    ...{ asks: { temperature: 0.2 }, reads },
    check: (seen) => expect(seen).toHaveLength(2),
  },
  of(
    "a forced call",
    "i-am-bee/beeai-framework#1441",
    "with the choice left to the model, which `x-relay-ignored-fields` says",
    ['"tool_choice"', "deepseek-reasoner does not support this tool_choice"],
    forced,
    (text) => expect(text).toContain('"tools"'),
  ),
  of(
    "a choice of no tool",
    "MAXeaglet/commandcode-proxy#47",
    "without tools",
    ['"tool_choice"', "Only a tool_choice of 'auto' is supported for this model."],
    none,
    (text) => expect(text).not.toContain('"tools"'),
  ),
  of(
    "`stop`",
    "griptape-ai/griptape#1915",
    "without it, which `x-relay-ignored-fields` says",
    ['"stop"', "Unsupported parameter: 'stop' is not supported with this model."],
    {
      chat: { stop: ["END"] },
      messages: { stop_sequences: ["END"] },
      responses: {},
    },
    () => {},
  ),
  of(
    "JSON without a schema",
    "lmstudio-ai/lmstudio-bug-tracker#189",
    "with a schema that takes any object",
    ['"json_object"', "'response_format.type' must be 'json_schema' or 'text'"],
    {
      chat: { response_format: { type: "json_object" } },
      messages: {},
      responses: { text: { format: { type: "json_object" } } },
    },
    (text) => expect(text).toContain('"schema":{"type":"object"}'),
  ),
  of(
    "words in the schema of a tool",
    "sooperset/mcp-atlassian#626",
    "with a schema in the words that Gemini knows, which `x-relay-ignored-fields` says",
    [
      '"$schema"',
      "Invalid JSON payload received. Unknown name \"$schema\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
    ],
    {
      chat: { tools: [{ type: "function", function: { name: "get_time", parameters } }] },
      messages: { tools: [{ name: "get_time", input_schema: parameters }] },
      responses: {
        tools: [{ type: "function", name: "get_time", parameters, strict: null }],
      },
    },
    (_text, body) => expect(body.tools).toMatchObject([{ function: { parameters: plain } }]),
  ),
  of(
    "the signature of a call, of another provider",
    null,
    "without it, which `x-relay-ignored-fields` says",
    ['"extra_content"', "messages.1.tool_calls.0.extra_content: Extra inputs are not permitted"],
    signedCall,
    () => {},
  ),
];
