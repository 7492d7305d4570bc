/** Requests of which an upstream cannot read a part, each with what it gets in a plainer form. */
import { expect } from "vitest";
import { type Script, saying, sendJson, usageOf } from "../upstream/test-upstream";
import { hello } from "./test-relay";

type Body = Record<string, unknown>;
type Message = Record<string, unknown>;

export const usage = usageOf(10, 5);
export const charged = { outcome: "settled", amount: 10 * 80 + 5 * 800, losses: [] };
export const answers = saying("hi", usage);
const messagesOf = (body: Body) => body.messages as Message[];
export const refusal = (message: string, param: string | null = null, code: string | null = null) =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param, code } });
/** Refuses what `isUnread` names, and answers the rest. */
export const refusing =
  (isUnread: (body: Body) => string | null, status = 400): Script =>
  (response, request, count) => {
    const text = isUnread(request.body);
    if (text === null) return answers(response, request, count);
    sendJson(response, text, status);
  };
export const has =
  (name: string) =>
  (body: Body): string | null =>
    body[name] === undefined ? null : refusal(`Unknown parameter: '${name}'.`);

const tool = {
  type: "function",
  function: { name: "f", parameters: { type: "object", properties: {} }, strict: true },
};
export const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };
/** The first of the SHA-256 of "1". */
const SHORT_ID = "6b86b273f";
const parts = (text: string) => [{ type: "text", text }];
const picture = { type: "image_url", image_url: { url: "https://a.test/a.png" } };
const history = [
  { role: "developer", content: parts("be brief") },
  ...hello,
  { role: "assistant", content: null, reasoning_content: "I call it.", tool_calls: [call] },
  { role: "tool", tool_call_id: "1", content: parts("3 degrees") },
];
const someMessage = (is: (message: Message) => boolean, text: string) => (body: Body) =>
  messagesOf(body).some(is) ? refusal(text) : null;

/** What is refused, what is asked, what is sent at last, and what the client is told. */
export const cases: readonly [string, Script, Body, object, string | null][] = [
  [
    "developer",
    refusing(
      someMessage(
        ({ role }) => role === "developer",
        "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`",
      ),
    ),
    { messages: history },
    { messages: [{ ...history[0], role: "system" }, ...history.slice(1)] },
    null,
  ],
  [
    "parts",
    refusing(
      someMessage(
        ({ content }) => Array.isArray(content),
        "messages[0]: invalid type: sequence, expected a string at line 1",
      ),
      422,
    ),
    { messages: history },
    {
      messages: [
        { role: "developer", content: "be brief" },
        history[1],
        history[2],
        { role: "tool", tool_call_id: "1", content: "3 degrees" },
      ],
    },
    null,
  ],
  [
    "null",
    refusing(
      someMessage(
        ({ content }) => content === null,
        "Invalid 'content': 'content' field must be a string or an array of objects.",
      ),
    ),
    { messages: history },
    { messages: [history[0], history[1], { ...history[2], content: "" }, history[3]] },
    null,
  ],
  [
    "thinking that comes back",
    refusing(
      someMessage(
        (message) => message.reasoning_content !== undefined,
        "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
      ),
    ),
    { messages: history },
    {
      messages: [
        history[0],
        history[1],
        { role: "assistant", content: null, tool_calls: [call] },
        history[3],
      ],
    },
    "messages.reasoning_content",
  ],
  [
    "instructions in between",
    refusing((body) =>
      messagesOf(body)
        .slice(1)
        .some(({ role }) => role === "system")
        ? refusal("System message must be at the beginning.")
        : null,
    ),
    {
      messages: [
        { role: "system", content: "a" },
        { role: "system", content: parts("b") },
        ...hello,
        { role: "system", content: "c" },
      ],
    },
    { messages: [{ role: "system", content: "a\n\nb" }, ...hello, { role: "user", content: "c" }] },
    null,
  ],
  [
    "a schema of the answer",
    refusing((body) =>
      (body.response_format as Body | undefined)?.type === "json_schema"
        ? refusal("This response_format type is unavailable now")
        : null,
    ),
    {
      response_format: {
        type: "json_schema",
        json_schema: { name: "x", schema: { type: "object", title: "Place" } },
      },
    },
    {
      response_format: { type: "json_object" },
      messages: [
        {
          role: "system",
          content: expect.stringContaining('{"type":"object","title":"Place"}'),
        },
        ...hello,
      ],
    },
    "response_format.json_schema",
  ],
  [
    "strict",
    refusing((body) =>
      JSON.stringify(body.tools).includes("strict")
        ? refusal(
            "Invalid JSON payload received. Unknown name \"strict\" at 'tools[0].function_declarations[0]': Cannot find field.",
          )
        : null,
    ),
    { tools: [tool] },
    {
      tools: [
        {
          type: "function",
          function: { name: "f", parameters: { type: "object", properties: {} } },
        },
      ],
    },
    null,
  ],
  [
    "parallel_tool_calls",
    refusing(has("parallel_tool_calls")),
    { tools: [tool], parallel_tool_calls: false },
    { tools: [tool], parallel_tool_calls: undefined },
    "parallel_tool_calls",
  ],
  [
    "reasoning_effort",
    refusing(has("reasoning_effort")),
    { reasoning_effort: "low" },
    { reasoning_effort: undefined },
    "reasoning_effort",
  ],
  [
    "max_tokens",
    refusing(has("max_tokens")),
    { max_tokens: 7 },
    { max_tokens: undefined, max_completion_tokens: 7 },
    null,
  ],
  [
    "two fields, in a list of faults",
    refusing((body) => {
      const names = ["store", "metadata"].filter((name) => body[name] !== undefined);
      const detail = names.map((name) => ({
        type: "extra_forbidden",
        loc: ["body", name],
        msg: "Extra inputs are not permitted",
      }));
      return names.length === 0 ? null : JSON.stringify({ detail });
    }, 422),
    { store: false, metadata: { a: "b" } },
    { store: undefined, metadata: undefined },
    "store, metadata",
  ],
  [
    "two fields, one after the other",
    refusing((body) => has("store")(body) ?? has("seed")(body)),
    { store: false, seed: 1 },
    { store: undefined, seed: undefined },
    "store, seed",
  ],
  [
    "the role system",
    refusing(someMessage(({ role }) => role === "system", "System role not supported")),
    { messages: [{ role: "system", content: "a" }, ...hello, { role: "system", content: "c" }] },
    {
      messages: [{ role: "user", content: `a\n\n${hello[0]?.content}\n\nc` }],
    },
    null,
  ],
  [
    "ids of calls",
    refusing(
      someMessage(
        ({ tool_call_id: id }) => id === "1",
        "Tool call id was 1 but must be a-z, A-Z, 0-9, with a length of 9.",
      ),
    ),
    { messages: history },
    {
      messages: [
        history[0],
        history[1],
        { ...history[2], tool_calls: [{ ...call, id: SHORT_ID }] },
        { ...history[3], tool_call_id: SHORT_ID },
      ],
    },
    null,
  ],
  [
    "calls without a signature",
    refusing(
      someMessage(
        ({ tool_calls: calls }) => Array.isArray(calls) && !JSON.stringify(calls).includes("skip_"),
        "Function call is missing a thought_signature in functionCall parts.",
      ),
    ),
    { messages: history },
    {
      messages: [
        history[0],
        history[1],
        { ...history[2], tool_calls: [{ ...call, extra_content: expect.anything() }] },
        history[3],
      ],
    },
    null,
  ],
  [
    "images in the results of tools",
    refusing(
      someMessage(
        ({ role, content }) => role === "tool" && JSON.stringify(content).includes("image_url"),
        "Invalid 'messages[3]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
      ),
    ),
    { messages: [...history.slice(0, 3), { ...history[3], content: [...parts("seen"), picture] }] },
    {
      messages: [
        ...history.slice(0, 3),
        { ...history[3], content: parts("seen") },
        { role: "user", content: [picture] },
      ],
    },
    null,
  ],
];
