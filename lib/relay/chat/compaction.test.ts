/** Codex compacts its conversation: by an address of its own, or by the last item of a request. */
import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { CHARGE } from "@/testing/relay/text-situations";
import {
  chunk,
  saying,
  sendJson,
  streaming,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { isRecord } from "../../values/records";

const setup = await scriptedRelay();
const usage = usageOf(100, 20);
const tools = [{ type: "function", name: "shell", parameters: { type: "object" }, strict: false }];
const conversation = [
  { type: "message", role: "user", content: [{ type: "input_text", text: "make it" }] },
  { type: "function_call", call_id: "c1", name: "shell", arguments: "{}" },
  { type: "function_call_output", call_id: "c1", output: "made" },
];
const trigger = { type: "compaction_trigger" };
/** As Codex sends it. */
const codex = {
  ...{ model: "RelayV1", instructions: "You are an agent.", tools, parallel_tool_calls: true },
  ...{ reasoning: { effort: "medium", summary: "auto" }, prompt_cache_key: "k" },
};
const send = (path: string, fields: object) =>
  setup.relay.send(path, { body: JSON.stringify({ ...codex, ...fields }) });
const seen = () => setup.upstream.seen.at(-1)?.body ?? {};
const lastEnd = async () => (await setup.relay.ends()).at(-1);
const charged = { outcome: "settled", amount: CHARGE };

/** What the upstream is asked: the whole conversation, its tools, and then for a summary. */
function expectAsked() {
  const { messages, tool_choice: choice, tools: offered } = seen();
  expect([choice, offered]).toMatchObject(["none", [{ function: { name: "shell" } }]]);
  expect(messages).toMatchObject([
    { role: "system", content: "You are an agent." },
    { role: "user", content: "make it" },
    { role: "assistant", tool_calls: [{ id: "c1" }] },
    { role: "tool", content: "made" },
    { role: "user", content: expect.stringMatching(/^Write a summary of this conversation/) },
  ]);
}

const eventsOf = (text: string): Record<string, unknown>[] =>
  text.split("\n").flatMap((line) => {
    const event: unknown = line.startsWith("data: ") ? JSON.parse(line.slice(6)) : null;
    return isRecord(event) ? [event] : [];
  });

const summaries: unknown[] = [];

test("the address answers with what the user said and a summary, which is charged once", async () => {
  setup.script = saying("It is made.", usage);
  const quote = await send("/v1/quote", { endpoint: "compactResponse", input: conversation });
  const { status, json, text } = await send("/v1/responses/compact", { input: conversation });
  expect(status, text).toBe(200);
  expectAsked();
  const [said, summary] = json.output as [object, object];
  expect(json).toMatchObject({ object: "response.compaction", usage: { total_tokens: 120 } });
  expect(said).toMatchObject(conversation[0] ?? {});
  expect(summary).toMatchObject({ type: "compaction", encrypted_content: expect.any(String) });
  summaries.push(summary);
  const end = await lastEnd();
  expect(end).toMatchObject(charged);
  expect(Number(quote.json.hold_points)).toBeCloseTo((end?.held ?? 0) / 1e6, 6);
});

test("the last item of a streamed request is answered with exactly one item", async () => {
  const pieces = [chunk({ content: "It is " }), chunk({ content: "made." }, {}, "stop")];
  setup.script = streaming(...pieces, usageChunk(usage));
  const { text } = await send("/v1/responses", {
    ...{ input: [...conversation, trigger], stream: true, store: false },
  });
  expectAsked();
  const events = eventsOf(text);
  expect(events.map(({ type }) => type)).toEqual([
    "response.created",
    "response.output_item.added",
    "response.output_item.done",
    "response.completed",
  ]);
  const done = events.find(({ type }) => type === "response.output_item.done")?.item;
  expect(done).toMatchObject({ type: "compaction" });
  expect(events.at(-1)?.response).toMatchObject({ output: [done], usage: { total_tokens: 120 } });
  summaries.push(done);
  expect(await lastEnd()).toMatchObject(charged);
});

test("the summary is what the model reads in the next request", async () => {
  setup.script = saying("Yes.", usage);
  expect(summaries).toHaveLength(2);
  for (const summary of summaries) {
    const next = { type: "message", role: "user", content: "and now?" };
    const answer = await send("/v1/responses", { input: [summary, next], store: false });
    expect(answer.status, answer.text).toBe(200);
    expect(seen().messages).toMatchObject([
      { role: "system" },
      { role: "user", content: expect.stringMatching(/^A summary of .+\n\nIt is made\.$/) },
      { role: "user", content: "and now?" },
    ]);
    expect(answer.headers.get("x-relay-ignored-fields")).toBeNull();
  }
});

test("a summary without a word is none, and a refusal costs nothing", async () => {
  setup.script = saying(" ", usage);
  const empty = await send("/v1/responses/compact", { input: conversation.slice(0, 1) });
  expect(empty.json.output).toHaveLength(1);
  setup.script = (response) => sendJson(response, '{"error":{"message":"no"}}', 400);
  const refused = await send("/v1/responses/compact", { input: conversation });
  expect([refused.status, (await lastEnd())?.outcome]).toEqual([400, "released"]);
});
