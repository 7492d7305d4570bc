/** Tests the sandbox's answers to tools, JSON mode and schemas, over HTTP. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { opened } from "@/testing/unit/opened";
import { withoutOrders } from "./misbehaviour";
import { startSandbox } from "./sandbox";
import { countTokens, inputTokensOf, tokensOf } from "./tokens";

const sandbox = await opened(startSandbox());

const user = (content: string) => ({ role: "user", content });
const ask = (body: object): Promise<Response> =>
  fetch(`${sandbox.channel.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sandbox.channel.apiKey}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ model: "sandbox-relay-v1", messages: [user("Say hello.")], ...body }),
  });

interface Call {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Reply {
  readonly choices: readonly [
    {
      readonly finish_reason: string;
      readonly message: {
        readonly content: string | null;
        readonly tool_calls?: Call[];
        readonly function_call?: Call["function"];
      };
    },
  ];
  readonly usage: { readonly completion_tokens: number; readonly prompt_tokens: number };
  readonly error?: unknown;
}
const answered = async (body: object) => (await (await ask(body)).json()) as Reply;
const choiceOf = async (body: object) => (await answered(body)).choices[0];
const namesOf = async (body: object) =>
  (await choiceOf(body)).message.tool_calls?.map((call) => call.function.name);

const city = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 3 } },
  required: ["city", "days"],
};
const weather = { type: "function", function: { name: "get_weather", parameters: city } };
const mail = {
  type: "function",
  function: {
    name: "send_mail",
    parameters: { type: "object", properties: { to: { type: "string", format: "email" } } },
  },
};
const tools = [weather, mail];

test("a call has an id, a name and arguments that its schema allows, and its tokens are counted", async () => {
  const { choices, usage } = await answered({ tools, tool_choice: "required" });
  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: { role: "assistant", content: null },
  });
  const [call, ...others] = choices[0].message.tool_calls ?? [];
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
    type: "function",
    function: { name: "get_weather" },
  });
  expect(JSON.parse(call?.function.arguments ?? "")).toEqual({ city: "sandbox city", days: 3 });
  expect(usage.completion_tokens).toBe(
    countTokens("get_weather") + countTokens(call?.function.arguments ?? ""),
  );
});

test("the choice of tools is followed", async () => {
  const named = { type: "function", function: { name: "send_mail" } };
  expect(await namesOf({ tools, tool_choice: named })).toEqual(["send_mail"]);
  expect(
    await namesOf({ tools, tool_choice: "none", messages: [user("Use get_weather.")] }),
  ).toBeUndefined();
  expect(
    await namesOf({ tools, tool_choice: "required", messages: [user("Use send_mail.")] }),
  ).toEqual(["send_mail"]);
  expect(await namesOf({ tools })).toBeUndefined();
  expect((await choiceOf({ tools })).message.content).toContain("sandbox");
  expect(await namesOf({ tools, messages: [user("What is the weather in Paris?")] })).toEqual([
    "get_weather",
  ]);
  const both = { tools, messages: [user("Call get_weather, then send_mail.")] };
  expect(await namesOf(both)).toEqual(["get_weather", "send_mail"]);
  expect(await namesOf({ ...both, parallel_tool_calls: false })).toEqual(["get_weather"]);
  expect(
    await namesOf({
      tools: [{ type: "function", function: { name: "ping" } }],
      tool_choice: "required",
    }),
  ).toEqual(["ping"]);
});

test("after a tool result, the text quotes it", async () => {
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "get_weather", arguments: "{}" },
  };
  const messages = [
    user("What is the weather in Paris?"),
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: '{"celsius":21}' },
  ];
  const { message, finish_reason } = await choiceOf({ tools, messages });
  expect(finish_reason).toBe("stop");
  expect(message.tool_calls).toBeUndefined();
  expect(message.content).toContain("sandbox");
  expect(message.content).toContain('The tool get_weather answered: “{"celsius":21}”');
});

test("functions, the older form of tools, are called", async () => {
  const functions = [weather.function];
  const { message, finish_reason } = await choiceOf({
    functions,
    function_call: { name: "get_weather" },
  });
  expect(finish_reason).toBe("function_call");
  expect(message.function_call?.name).toBe("get_weather");
  expect(JSON.parse(message.function_call?.arguments ?? "")).toMatchObject({ days: 3 });
  const text = await (
    await ask({ functions, function_call: { name: "get_weather" }, stream: true })
  ).text();
  expect(text).toContain(
    '"delta":{"role":"assistant","content":null,"function_call":{"name":"get_weather","arguments":""}}',
  );
  expect(text).toContain('"delta":{"function_call":{"arguments":"{"}}');
});

test("JSON mode and schemas get a document, plain and streamed, whose tokens are counted", async () => {
  const { choices, usage } = await answered({
    response_format: { type: "json_object" },
    messages: [user("2+3 as JSON")],
  });
  expect(JSON.parse(choices[0].message.content ?? "")).toEqual({
    sandbox: expect.stringContaining("sandbox"),
    answer: "2+3 = 5.",
  });
  expect(usage.completion_tokens).toBe(tokensOf(choices[0].message.content ?? "").length);
  const response_format = {
    type: "json_schema",
    json_schema: { name: "city", strict: true, schema: city },
  };
  expect((await choiceOf({ response_format })).message.content).toBe(
    '{"city":"sandbox city","days":3}',
  );
  const lines = (await (await ask({ response_format, stream: true })).text())
    .split("\n\n")
    .slice(0, -2);
  const pieces = lines.map((line) => JSON.parse(line.slice(6)).choices[0].delta.content ?? "");
  expect(pieces.join("")).toBe('{"city":"sandbox city","days":3}');
  expect(pieces.length).toBeGreaterThan(5);
});

test("a cap cuts documents and calls as a real model's are cut", async () => {
  const response_format = { type: "json_schema", json_schema: { name: "city", schema: city } };
  for (const max_tokens of [1, 2, 5]) {
    const cut = await answered({ response_format, max_tokens });
    expect(cut).toMatchObject({
      usage: { completion_tokens: max_tokens },
      choices: [{ finish_reason: "length" }],
    });
    const call = await answered({ tools, tool_choice: "required", max_tokens });
    expect(call.choices[0].finish_reason).toBe("length");
    expect(call.usage.completion_tokens).toBeLessThanOrEqual(max_tokens);
  }
  const call = await answered({ tools, tool_choice: "required", max_completion_tokens: 5 });
  expect(call.usage.completion_tokens).toBe(5);
  expect(call.choices[0].message.tool_calls?.[0]?.function.arguments).toBe('{"');
});

test.each([
  ["required tools without any", { tool_choice: "required" }, "tool_choice"],
  [
    "a tool that is not there",
    { tools, tool_choice: { type: "function", function: { name: "no" } } },
    "tool_choice",
  ],
  ["a format that is not there", { response_format: { type: "xml" } }, "response_format.type"],
  [
    "a false schema",
    { response_format: { type: "json_schema", json_schema: { schema: false } } },
    "response_format.json_schema.schema",
  ],
  [
    "arguments without an end",
    {
      tools: [
        {
          type: "function",
          function: { name: "a", parameters: { type: "array", minItems: 1, items: { $ref: "#" } } },
        },
      ],
      tool_choice: "required",
    },
    "tools[0].function.parameters",
  ],
])("%s is refused with 400 and the field", async (_name, body, param) => {
  const answer = await ask(body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ error: { type: "invalid_request_error", param } });
});

test("any value in these fields gets an answer", async () => {
  const anything = fc.anything({ maxDepth: 3, maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        tools: anything,
        tool_choice: anything,
        functions: anything,
        response_format: anything,
        parallel_tool_calls: anything,
      }),
      async (body) => {
        expect([200, 400]).toContain((await ask(JSON.parse(JSON.stringify(body) ?? "{}"))).status);
      },
    ),
    { numRuns: 150 },
  );
});

test("tokens are counted without being generated, and tools and calls have no more input tokens than bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (text) => {
      expect(countTokens(text)).toBe(tokensOf(text).length);
      const messages = [
        {
          role: "assistant",
          content: text,
          tool_calls: [{ id: text, function: { arguments: text } }],
        },
      ];
      expect(await inputTokensOf(messages)).toBeLessThanOrEqual(
        Buffer.byteLength(JSON.stringify(messages)),
      );
    }),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(" ", "\n", "a", "7", "{", "é", "你", "😀", "\u0301", "\u3000", "\ud83d"),
        { maxLength: 30 },
      ),
      (parts) => {
        expect(countTokens(parts.join(""))).toBe(tokensOf(parts.join("")).length);
      },
    ),
  );
});

test("a prompt of brackets is answered at once", async () => {
  const started = performance.now();
  expect((await ask({ messages: [user("[".repeat(400_000))], max_tokens: 5 })).status).toBe(200);
  expect(withoutOrders(`a [[tokens:5]] b${"[[x".repeat(400_000)}`)).toMatch(/^a {2}b\[\[x/);
  // Quadratic work on these inputs would take minutes.
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("an image of 20 MiB inside the request is accepted", async () => {
  const url = `data:image/png;base64,${"A".repeat(20 * 1024 * 1024)}`;
  const content = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url } },
  ];
  expect((await ask({ messages: [{ role: "user", content }] })).status).toBe(200);
});
