/**
 * Tests requests as Cursor sends them to chat completions: in the words of the Responses API, or with tools
 * in its form. The answer is chat's, which is what it reads.
 */
import { beforeEach, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { completion, sendJson, streamType, usageOf } from "@/testing/upstream/test-upstream";

const setup = await scriptedRelay();
beforeEach(() => {
  setup.upstream.seen.length = 0;
});
const path = "/v1/chat/completions";
const send = (body: object) =>
  setup.relay.send(path, { body: JSON.stringify({ model: "relay-v1", ...body }) });
const quote = (body: object) =>
  setup.relay.send("/v1/quote", {
    body: JSON.stringify({ endpoint: "createChatCompletion", model: "relay-v1", ...body }),
  });
const sent = () => setup.upstream.seen.at(-1)?.body as Record<string, unknown>;

const grammar = { type: "grammar", syntax: "lark", definition: "start: /.+/" };
const read = { name: "Read", description: "Reads.", parameters: { type: "object" } };
const flat = [
  { type: "function", ...read, strict: false },
  { type: "custom", name: "ApplyPatch", description: "Edits.", format: grammar },
];
const nested = [
  { type: "function", function: { ...read, strict: false } },
  {
    type: "function",
    function: expect.objectContaining({ name: "ApplyPatch", description: "Edits." }),
  },
];
const PATCH = '*** Begin Patch\n+ "x"\n*** End Patch';
/** A body as Cursor sends it, in the second turn of an agent. */
const agent = {
  stream: true,
  stream_options: { include_usage: true },
  instructions: "Be brief.",
  input: [
    { role: "user", content: [{ type: "input_text", text: "Edit a." }] },
    { type: "function_call", call_id: "c1", name: "ApplyPatch", arguments: PATCH },
    { type: "function_call_output", call_id: "c1", output: "done" },
    { role: "user", content: "And b." },
  ],
  tools: flat,
  tool_choice: "auto",
  store: false,
  include: ["reasoning.encrypted_content"],
  reasoning: { effort: "medium", summary: "auto" },
  text: { verbosity: "low" },
  metadata: { cursorConversationId: "x" },
};

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "u", object: "chat.completion.chunk", created: 1767225600, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const pieces = (index: number, name: string, text: string) => [
  chunk({
    tool_calls: [{ index, id: `c${index}`, type: "function", function: { name, arguments: "" } }],
  }),
  ...[text.slice(0, 9), text.slice(9)].map((part) =>
    chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
  ),
];
const calls = [
  ...pieces(0, "Read", '{"path": "a.ts"}'),
  ...pieces(1, "ApplyPatch", JSON.stringify({ input: PATCH })),
];

/** The calls of the chunks of a stream, put together. */
function callsOf(text: string) {
  const chunks = text
    .split("\n\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));
  const told = new Map<number, { name: string; text: string }>();
  for (const { choices } of chunks)
    for (const { index, function: called } of choices[0]?.delta.tool_calls ?? []) {
      const known = told.get(index) ?? { name: called.name, text: "" };
      told.set(index, { ...known, text: known.text + called.arguments });
    }
  return { chunks, told: [...told.values()] };
}

test("a Responses body is asked as chat, and answered in chunks, with the input of a custom tool itself", async () => {
  setup.script = (response) => {
    response.writeHead(200, streamType);
    const usage = { choices: [], usage: usageOf(10, 5) };
    response.end(
      [
        ...calls,
        chunk({}, "tool_calls"),
        `data: ${JSON.stringify(usage)}\n\n`,
        "data: [DONE]\n\n",
      ].join(""),
    );
  };
  const answer = await send(agent);
  expect(answer.status, answer.text).toBe(200);
  const { chunks, told } = callsOf(answer.text);
  expect(told).toEqual([
    { name: "Read", text: '{"path": "a.ts"}' },
    { name: "ApplyPatch", text: PATCH },
  ]);
  expect(chunks.every(({ object }) => object === "chat.completion.chunk")).toBe(true);
  expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("tool_calls");
  expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 10, points: expect.any(Number) });
  expect(answer.text.trimEnd().endsWith("data: [DONE]")).toBe(true);
  expect(sent()).toMatchObject({
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Edit a." },
      { role: "assistant", tool_calls: [{ id: "c1", function: { name: "ApplyPatch" } }] },
      { role: "tool", tool_call_id: "c1", content: "done" },
      { role: "user", content: "And b." },
    ],
    tools: nested,
    stream: true,
  });
  const [, , called] = sent().messages as { tool_calls: { function: { arguments: string } }[] }[];
  expect(JSON.parse(called?.tool_calls[0]?.function.arguments ?? "")).toEqual({ input: PATCH });
  const [end] = (await setup.relay.ends()).slice(-1);
  expect(end).toMatchObject({ outcome: "settled", losses: [] });
  const quoted = await quote(agent);
  expect(quoted.json.hold_points).toBe((end?.held ?? 0) / 1e6);
});

test("a plain answer is one of chat, and costs what the same conversation costs as chat", async () => {
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [
      {
        id: "c9",
        type: "function",
        function: { name: "ApplyPatch", arguments: JSON.stringify({ input: PATCH }) },
      },
    ],
  };
  const given = {
    ...JSON.parse(completion("x", usageOf(10, 5))),
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
  };
  setup.script = (response) => sendJson(response, JSON.stringify(given));
  const { stream: _, stream_options: __, ...plain } = agent;
  const answer = await send(plain);
  expect(answer.json).toMatchObject({
    object: "chat.completion",
    choices: [
      { message: { tool_calls: [{ function: { name: "ApplyPatch", arguments: PATCH } }] } },
    ],
  });
  const ends = (await setup.relay.ends()).slice(-1);
  await send({ messages: [{ role: "user", content: "hi" }] });
  const other = (await setup.relay.ends()).slice(-1);
  expect(other[0]?.amount).toBe(ends[0]?.amount);
});

test("tools in the form of the Responses API are read beside messages, too", async () => {
  setup.script = (response) => sendJson(response, completion("yes", usageOf(10, 5)));
  const call = { id: "c1", type: "function", function: { name: "ApplyPatch", arguments: PATCH } };
  const messages = [
    { role: "user", content: "Edit a." },
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: "done" },
  ];
  const tools = [{ type: "function", function: read }, flat[1]];
  const answer = await send({
    messages,
    tools,
    tool_choice: { type: "custom", name: "ApplyPatch" },
  });
  expect(answer.status).toBe(200);
  expect(sent()).toMatchObject({
    tools: [{ type: "function", function: read }, nested[1]],
    tool_choice: { type: "function", function: { name: "ApplyPatch" } },
    messages: [
      {},
      { tool_calls: [{ function: { arguments: JSON.stringify({ input: PATCH }) } }] },
      {},
    ],
  });
});

test.each([
  [{ input: "hi", previous_response_id: "resp_1" }, "previous_response_id"],
  [{ input: "hi", background: true }, "background"],
  [{ input: [], store: false }, "input"],
  [{ input: "hi", max_output_tokens: 0 }, "max_output_tokens"],
  [{ input: "hi", model: "super-relay" }, "model"],
  [{}, "messages"],
  [{ input: "hi", messages: [] }, "messages"],
])("%j is refused by the name of %s, and its quote too", async (body, param) => {
  const answer = await send(body);
  expect([answer.status, answer.json.error?.param]).toEqual([400, param]);
  expect((await quote(body)).json.error).toEqual(answer.json.error);
  expect(setup.upstream.seen).toHaveLength(0);
});
