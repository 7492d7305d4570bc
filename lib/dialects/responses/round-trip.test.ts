/** What both dialects can say comes through unchanged, whatever the order and the pieces. */
import fc from "fast-check";
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator";
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses";
import { expect, test } from "vitest";
import { type ResponsesRequest, responsesRequest } from "../../contract/responses";
import { validate } from "../../http/validate";
import type { DialectEvent, JsonObject } from "../text-dialect";
import { ResponseEvents } from "./response-events";
import type { ResponsesContext } from "./response-object";
import { toAnswer } from "./to-answer";
import { toChat } from "./to-chat";

type ChatMessage = JsonObject & { role: string };
type Part = { type: "text"; text: string } | { type: "image_url"; image_url: JsonObject };

const words = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
const name = fc.stringMatching(/^[a-z]{1,8}$/);
const textPart = words.map((text): Part => ({ type: "text", text }));
const imagePart = fc
  .record({
    url: fc.constantFrom("https://example.com/a.png", "data:image/png;base64,AA=="),
    detail: fc.constantFrom("low", "high"),
  })
  .map((image_url): Part => ({ type: "image_url", image_url }));
/** A single text is a string in canonical form. */
const parts = fc
  .array(fc.oneof(textPart, imagePart), { minLength: 1, maxLength: 4 })
  .filter((all) => all.length > 1 || all[0]?.type === "image_url");
const content = fc.oneof(words, parts);

const texts = fc.oneof(words, fc.array(textPart, { minLength: 2, maxLength: 3 }));

const asked = fc
  .record({ role: fc.constantFrom("user", "system", "developer"), content })
  .map((message): ChatMessage[] => [message]);

const call = fc.record({
  id: fc.uuid(),
  name,
  arguments: fc.json({ maxDepth: 1 }),
});

/** An assistant's turn: text or calls or both, and the output of each call. */
const turn = fc
  .record({
    reasoning: fc.option(words, { nil: undefined }),
    content: fc.option(texts, { nil: null }),
    refusal: fc.option(words, { nil: undefined }),
    calls: fc.array(fc.tuple(call, texts), { maxLength: 3 }),
  })
  .filter((said) => said.content !== null || said.refusal !== undefined || said.calls.length > 0)
  .map(({ reasoning, content: text, refusal, calls }): ChatMessage[] => {
    const message: ChatMessage = { role: "assistant", content: text };
    if (reasoning !== undefined) message.reasoning_content = reasoning;
    if (refusal !== undefined) message.refusal = refusal;
    if (calls.length > 0)
      message.tool_calls = calls.map(([{ id, ...called }]) => ({
        id,
        type: "function",
        function: called,
      }));
    const role = "tool";
    return [message, ...calls.map(([{ id }, content]) => ({ role, tool_call_id: id, content }))];
  });

const conversation = fc
  .array(fc.oneof(asked, turn), { minLength: 1, maxLength: 6 })
  // Two turns of the assistant in a row may be one: chat has no way to say so.
  .filter((turns) =>
    turns.every(
      (one, at) =>
        one[0]?.role !== "assistant" ||
        turns[at - 1]?.length !== 1 ||
        turns[at - 1]?.[0]?.role !== "assistant",
    ),
  )
  .map((turns) => turns.flat());

const settings = fc.record(
  {
    max_tokens: fc.integer({ min: 1, max: 1000 }),
    temperature: fc.constantFrom(0, 0.5, 1),
    top_p: fc.constantFrom(0.1, 1),
    reasoning_effort: fc.constantFrom("low", "high"),
    verbosity: fc.constantFrom("low", "high"),
    user: words,
    response_format: fc.oneof(
      fc.constant({ type: "json_object" }),
      fc
        .record({ name, schema: fc.constant({ type: "object" }), strict: fc.boolean() })
        .map((json_schema) => ({ type: "json_schema", json_schema })),
    ),
  },
  { requiredKeys: [] },
);

const tools = fc
  .uniqueArray(
    fc.record({
      name,
      description: words,
      parameters: fc.constant({ type: "object", properties: {} }),
      strict: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3, selector: (tool) => tool.name },
  )
  .chain((functions) =>
    fc.record({
      tools: fc.constant(functions.map((one) => ({ type: "function", function: one }))),
      tool_choice: fc.oneof(
        fc.constantFrom("auto", "none", "required"),
        fc.constantFrom(...functions).map((one) => ({
          type: "function",
          function: { name: one.name },
        })),
      ),
      parallel_tool_calls: fc.boolean(),
    }),
  );

function itemsOf(message: ChatMessage): JsonObject[] {
  const inputPart = (part: Part) =>
    part.type === "text"
      ? { type: "input_text", text: part.text }
      : { type: "input_image", ...part.image_url, image_url: part.image_url.url, url: undefined };
  const input = (given: unknown) =>
    typeof given === "string" ? given : (given as Part[]).map(inputPart);
  if (message.role === "tool")
    return [
      {
        type: "function_call_output",
        call_id: message.tool_call_id,
        output: input(message.content),
      },
    ];
  if (message.role !== "assistant")
    return [{ type: "message", role: message.role, content: input(message.content) }];
  const texts =
    typeof message.content === "string"
      ? [message.content]
      : ((message.content ?? []) as { text: string }[]).map(({ text }) => text);
  const said: JsonObject[] = texts.map((text) => ({ type: "output_text", text, annotations: [] }));
  if (message.refusal !== undefined) said.push({ type: "refusal", refusal: message.refusal });
  const calls = (message.tool_calls ?? []) as { id: string; function: JsonObject }[];
  return [
    ...(message.reasoning_content === undefined
      ? []
      : [
          {
            type: "reasoning",
            id: "rs_1",
            summary: [{ type: "summary_text", text: message.reasoning_content }],
          },
        ]),
    ...(said.length === 0 ? [] : [{ type: "message", role: "assistant", content: said }]),
    ...calls.map(({ id, function: called }) => ({ type: "function_call", call_id: id, ...called })),
  ];
}

function responsesOf(chat: JsonObject & { messages: ChatMessage[] }): JsonObject {
  const { messages, max_tokens, reasoning_effort, verbosity, response_format, ...same } = chat;
  const format = response_format as { type: string; json_schema?: object } | undefined;
  const choice = same.tool_choice as { function?: object } | string | undefined;
  return JSON.parse(
    JSON.stringify({
      ...same,
      input: messages.flatMap(itemsOf),
      max_output_tokens: max_tokens,
      reasoning: reasoning_effort === undefined ? undefined : { effort: reasoning_effort },
      text:
        verbosity === undefined && format === undefined
          ? undefined
          : { verbosity, format: format && { type: format.type, ...format.json_schema } },
      tools: (same.tools as { function: object }[] | undefined)?.map(({ function: one }) => ({
        type: "function",
        ...one,
      })),
      tool_choice: typeof choice === "object" ? { type: "function", ...choice.function } : choice,
    }),
  );
}

test("chat → responses → chat changes nothing", () => {
  fc.assert(
    fc.property(conversation, settings, fc.option(tools), (messages, fields, offered) => {
      const chat = { model: "RelayV1", messages, ...fields, ...offered };
      const request: unknown = responsesOf(chat);
      validate(responsesRequest, request);
      const { body, ignored } = toChat(request);
      expect(body).toEqual(chat);
      expect(ignored).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const request: ResponsesRequest = {
  model: "RelayV1",
  input: "x",
  tools: [
    { type: "custom", name: "patch" },
    { type: "namespace", name: "docs", tools: [{ type: "function", name: "find" }] },
  ],
};
const context: ResponsesContext = {
  request,
  model: "RelayV1",
  operationHex: "0199f000000070008000000000000001",
  requestId: "req_1",
  createdSeconds: 1,
};

const answered = fc
  .record({
    reasoning: fc.option(words, { nil: undefined }),
    content: fc.option(words, { nil: null }),
    calls: fc.array(
      fc.oneof(
        call,
        words.map((input) => ({ name: "patch", arguments: JSON.stringify({ input }) })),
        fc.constant({ name: "docs__find", arguments: "{}" }),
      ),
      { maxLength: 3 },
    ),
  })
  .filter(({ content: text, calls }) => text !== null || calls.length > 0)
  .map(({ reasoning, content: text, calls }) => {
    const message: ChatMessage = { role: "assistant", content: text };
    if (reasoning !== undefined) message.reasoning_content = reasoning;
    if (calls.length > 0)
      message.tool_calls = calls.map(({ name: called, arguments: given }, at) => ({
        id: `call_${at}`,
        type: "function",
        function: { name: called, arguments: given },
      }));
    return message;
  });

test("an answer that is sent back as input is the message that the upstream wrote", () => {
  fc.assert(
    fc.property(answered, (message) => {
      const answer = toAnswer({ choices: [{ message, finish_reason: "stop" }] }, context);
      const next: unknown = { ...request, input: answer.output };
      validate(responsesRequest, next);
      expect(toChat(next).body.messages).toEqual([message]);
    }),
    { numRuns: 200 },
  );
});

function deltasOf(message: ChatMessage, cuts: readonly number[]): JsonObject[] {
  let turnOf = 0;
  const pieces = (text: string): string[] => {
    const letters = [...text];
    const found: string[] = [];
    while (letters.length > 0)
      found.push(letters.splice(0, cuts[turnOf++ % cuts.length] ?? 1).join(""));
    return found;
  };
  const calls = (message.tool_calls ?? []) as { id: string; function: Record<string, string> }[];
  return [
    { role: "assistant", content: "" },
    ...pieces(String(message.reasoning_content ?? "")).map((reasoning_content) => ({
      reasoning_content,
    })),
    ...pieces(String(message.content ?? "")).map((text) => ({ content: text })),
    ...calls.flatMap(({ id, function: called }, index) => [
      { tool_calls: [{ index, id, type: "function", function: { ...called, arguments: "" } }] },
      ...pieces(called.arguments ?? "").map((text) => ({
        tool_calls: [{ index, function: { arguments: text } }],
      })),
    ]),
  ];
}

test("in whatever pieces an answer streams, the library assembles the plain one", () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
  const ends = fc.constantFrom("stop", "length", "tool_calls");
  fc.assert(
    fc.property(answered, cuts, ends, (message, given, finishReason) => {
      const stream = new ResponseEvents(context);
      const events: DialectEvent[] = deltasOf(message, given).flatMap((delta) => [
        ...stream.chunk({ choices: [{ index: 0, delta }] }),
      ]);
      const plain = toAnswer({ choices: [{ message, finish_reason: finishReason }] }, context);
      const last = stream.end({ usage: null, finishReason });
      expect(last.at(-1)?.response).toEqual(plain);
      let snapshot: Response | undefined;
      for (const event of [...events, ...last.slice(0, -1)])
        snapshot = accumulateResponse(event as unknown as ResponseStreamEvent, snapshot);
      expect(snapshot?.output).toEqual(plain.output);
    }),
    { numRuns: 200 },
  );
});
