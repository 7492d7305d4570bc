import { expect, test } from "vitest";
import { plainText } from "@/testing/relay/whole-text";
import { type ResponsesRequest, responsesRequest } from "../../contract/responses";
import { isRelayError } from "../../failures/relay-error";
import { validate } from "../../http/validate";
import { assertOffered } from "./native-request";
import { toChat } from "./to-chat";

/** The request as it is checked before it is translated. */
function checked(request: object): ResponsesRequest {
  const body: unknown = { model: "RelayV1", ...request };
  validate(responsesRequest, body);
  return body;
}

const chatOf = (request: object) => toChat(checked(request)).body;

function refusalOf(request: object) {
  try {
    const body = checked(request);
    toChat(body);
    assertOffered(body)(plainText);
  } catch (error) {
    if (isRelayError(error))
      return { code: error.code, param: error.param, message: error.message };
    throw error;
  }
  throw new Error("it was not refused");
}

test("a text is a user's message, and instructions are a system message before it", () => {
  expect(chatOf({ input: "hello", instructions: "Be brief." })).toEqual({
    model: "RelayV1",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hello" },
    ],
  });
});

test("a custom tool is a function with one text, and a namespace's tools get its name", () => {
  const { body, ignoredInChat } = toChat(
    checked({
      input: [
        { role: "user", content: "patch" },
        { type: "custom_tool_call", call_id: "c", name: "apply_patch", input: 'a "b"\n' },
        { type: "custom_tool_call_output", call_id: "c", output: "done" },
        {
          type: "function_call",
          call_id: "d",
          name: "find",
          namespace: "mcp__docs",
          arguments: "{}",
        },
        { type: "function_call_output", call_id: "d", output: "" },
      ],
      tools: [
        { type: "function", name: "look", description: "Looks.", parameters: null, strict: null },
        {
          type: "custom",
          name: "apply_patch",
          description: "Patches.",
          format: { type: "grammar", syntax: "lark", definition: "start: /x/" },
        },
        { type: "web_search" },
        { type: "web_search", search_context_size: "low" },
        {
          type: "namespace",
          name: "mcp__docs",
          description: "Documents.",
          tools: [{ type: "function", name: "find", parameters: { type: "object" }, strict: true }],
        },
      ],
      tool_choice: { type: "custom", name: "apply_patch" },
      parallel_tool_calls: false,
    }),
  );
  expect(ignoredInChat).toEqual(["tools.web_search"]);
  expect(body.messages.slice(1)).toMatchObject([
    {
      tool_calls: [
        { function: { name: "apply_patch", arguments: JSON.stringify({ input: 'a "b"\n' }) } },
      ],
    },
    { role: "tool", tool_call_id: "c", content: "done" },
    { tool_calls: [{ function: { name: "mcp__docs__find" } }] },
    { role: "tool", tool_call_id: "d", content: "" },
  ]);
  expect(body.tools).toMatchObject([
    { type: "function", function: { name: "look", description: "Looks." } },
    {
      function: {
        name: "apply_patch",
        parameters: {
          properties: { input: { description: expect.stringContaining("start: /x/") } },
          required: ["input"],
        },
      },
    },
    { function: { name: "mcp__docs__find", parameters: { type: "object" }, strict: true } },
  ]);
  expect(body.tool_choice).toEqual({ type: "function", function: { name: "apply_patch" } });
  expect(body.parallel_tool_calls).toBe(false);
});

test("without a tool that can be used here, nothing is said about tools", () => {
  const { body, ignoredInChat } = toChat(
    checked({
      input: "x",
      tools: [{ type: "web_search" }],
      tool_choice: "required",
      parallel_tool_calls: true,
    }),
  );
  expect(body).toEqual({ model: "RelayV1", messages: [{ role: "user", content: "x" }] });
  expect(ignoredInChat).toEqual(["tools.web_search"]);
});

test.each([
  ["auto", "auto"],
  [
    { type: "function", name: "look" },
    { type: "function", function: { name: "look" } },
  ],
  [
    {
      type: "allowed_tools",
      mode: "required",
      tools: [{ type: "function", name: "look" }, { type: "web_search" }],
    },
    {
      type: "allowed_tools",
      allowed_tools: {
        mode: "required",
        tools: [{ type: "function", function: { name: "look" } }],
      },
    },
  ],
  [{ type: "web_search" }, undefined],
  [{ type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] }, undefined],
])("the choice of a tool %j", (given, expected) => {
  const { body, ignoredInChat } = toChat(
    checked({ input: "x", tools: [{ type: "function", name: "look" }], tool_choice: given }),
  );
  expect(body.tool_choice).toEqual(expected);
  expect(ignoredInChat).toEqual(expected === undefined ? ["tool_choice"] : []);
});

test("each setting gets the chat's name, and labels of the dialect are not passed on", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const { body, ignoredInChat } = toChat(
    checked({
      input: "x",
      stream: true,
      max_output_tokens: 100,
      temperature: 0.2,
      top_p: 0.9,
      text: {
        format: { type: "json_schema", name: "thing", schema, strict: true },
        verbosity: "low",
      },
      reasoning: { effort: "low", summary: "auto" },
      top_logprobs: 2,
      user: "u",
      safety_identifier: "s",
      prompt_cache_key: "k",
      service_tier: "auto",
      metadata: { a: "b" },
      include: ["reasoning.encrypted_content"],
      truncation: "disabled",
      store: false,
      background: false,
      conversation: null,
      client_metadata: { installation: "1" },
      stream_options: { include_obfuscation: false },
      max_tool_calls: 3,
    }),
  );
  expect(body).toEqual({
    model: "RelayV1",
    messages: [{ role: "user", content: "x" }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 100,
    temperature: 0.2,
    top_p: 0.9,
    response_format: { type: "json_schema", json_schema: { name: "thing", schema, strict: true } },
    verbosity: "low",
    reasoning_effort: "low",
    logprobs: true,
    top_logprobs: 2,
    user: "u",
    safety_identifier: "s",
    prompt_cache_key: "k",
    service_tier: "auto",
  });
  expect(ignoredInChat).toEqual(["max_tool_calls"]);
  expect(chatOf({ input: "x", text: { format: { type: "json_object" } } })).toMatchObject({
    response_format: { type: "json_object" },
  });
  expect(
    chatOf({ input: "x", include: ["message.output_text.logprobs"], text: null }),
  ).toMatchObject({ logprobs: true });
  expect(chatOf({ input: "x", text: { format: { type: "text" } } })).not.toHaveProperty(
    "response_format",
  );
});

test.each([
  ["unsupported_value", "conversation", { conversation: "conv_1" }],
  ["unsupported_value", "prompt", { prompt: { id: "pmpt_1" } }],
  ["unsupported_value", "truncation", { truncation: "middle" }],
  [
    "unsupported_value",
    "input[0].content[0].file_id",
    { input: [{ role: "user", content: [{ type: "input_image", file_id: "file_1" }] }] },
  ],
  [
    "unsupported_value",
    "input[0].content[1].file_id",
    {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "x" },
            { type: "input_file", file_id: "file_1" },
          ],
        },
      ],
    },
  ],
  ["unsupported_value", "input[0].type", { input: [{ type: "teleport_call", id: "t_1" }] }],
  ["missing_required_parameter", "input", { input: undefined }],
  ["invalid_value", "input", { input: [] }],
  ["invalid_value", "input", { input: [{ type: "reasoning", summary: [] }] }],
  ["invalid_value", "input[0].role", { input: [{ role: "tool", content: "x" }] }],
  [
    "missing_required_parameter",
    "input[0].call_id",
    { input: [{ type: "function_call", name: "x", arguments: "" }] },
  ],
  ["missing_required_parameter", "tools[0].name", { tools: [{ type: "function" }] }],
  ["unsupported_value", "text.format.type", { text: { format: { type: "grammar" } } }],
  ["previous_response_not_found", "input[0].id", { input: [{ type: "item_reference", id: "x" }] }],
])("%s names %s", (code, param, request) => {
  expect(refusalOf({ input: "x", ...request })).toMatchObject({ code, param });
});
