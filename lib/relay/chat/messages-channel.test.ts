/** Which fields of a chat request reach a Messages API channel, and which the client is told were ignored. */
import { beforeAll, expect, test } from "vitest";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { message, messageUsage } from "@/testing/upstream/text-wires";

let answer = message([{ type: "text", text: "hi" }], { usage: messageUsage(5, 2) });

const upstream = await opened(startUpstream((response) => sendJson(response, answer)));
const relay = await opened(openTestRelay({ channels: [], points: "100000" }));
beforeAll(async () => {
  allow();
});

function allow(...allowedFields: string[]): void {
  relay.setting.channels = [upstream.channel({ protocol: "anthropic", allowedFields })];
}
const IGNORED = "x-relay-ignored-fields";
const sampling = { temperature: 0.5, top_p: 0.9 };
const lastBody = () => upstream.seen.at(-1)?.body ?? {};
const lastEnd = async () => (await relay.ends()).at(-1);

test.each([
  [{ response_format: { type: "json_object" } }, "response_format"],
  [sampling, "top_p"],
  [{ ...sampling, reasoning_effort: "low" }, "temperature, top_p"],
  [{ ...sampling, reasoning_effort: "low", max_tokens: 100 }, "top_p"],
  [
    { ...sampling, response_format: { type: "json_object" }, seed: 1 },
    "seed, response_format, top_p",
  ],
  [{ top_p: 0.9, response_format: { type: "text" } }, null],
  [
    {
      temperature: 0.5,
      response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } },
    },
    null,
  ],
])("chat completions with %j are told that %s is ignored", async (fields, ignored) => {
  const { status, headers } = await relay.chat(fields);
  expect(status).toBe(200);
  expect(headers.get(IGNORED)).toBe(ignored);
});

test.each([
  [{ text: { format: { type: "json_object" }, verbosity: "low" } }, "text.verbosity, text.format"],
  [sampling, "top_p"],
  [{ include: ["message.output_text.logprobs"] }, "include"],
  [{ top_logprobs: 2 }, "top_logprobs"],
  [{ top_p: 0.9 }, null],
])("responses with %j are told that %s is ignored", async (fields, ignored) => {
  const body = JSON.stringify({ model: "RelayV1", input: "hi", store: false, ...fields });
  const { status, headers } = await relay.send("/v1/responses", { body });
  expect(status).toBe(200);
  expect(headers.get(IGNORED)).toBe(ignored);
});

test("messages pass both ways to draw tokens, so nothing is said to be ignored", async () => {
  const fields = { model: "RelayV1", max_tokens: 9, messages: hello, ...sampling };
  const { headers } = await relay.send("/v1/messages", { body: JSON.stringify(fields) });
  expect(headers.get(IGNORED)).toBeNull();
  expect(lastBody()).toMatchObject(sampling);
});

test("every field that the channel allows passes as it came, and only then the whole model is held", async () => {
  allow("top_k", "context_management", "max_uses");
  const extra = { top_k: 40, context_management: { edits: [] } };
  expect((await relay.chat({ max_tokens: 9, ...extra })).headers.get(IGNORED)).toBeNull();
  expect(lastBody()).toMatchObject({ ...extra, max_tokens: 9 });
  const withFields = await lastEnd();
  await relay.chat({ max_tokens: 9 });
  const without = await lastEnd();
  expect(without?.held).toBeLessThan(20_000);
  expect(withFields?.held).toBeGreaterThan(100 * (without?.held ?? 0));
  allow();
  expect((await relay.chat({ max_tokens: 9, ...extra })).headers.get(IGNORED)).toBe(
    "top_k, context_management",
  );
  expect(lastBody()).not.toHaveProperty("top_k");
  expect((await lastEnd())?.held).toBeLessThan(20_000);
});

test("a field that the relay writes cannot be replaced by an allowed one", async () => {
  allow("system", "stop_sequences", "metadata");
  const own = { system: "other", stop_sequences: ["x"], stop: "END", user: "u" };
  await relay.chat({ ...own, messages: [{ role: "system", content: "be" }, ...hello] });
  expect(lastBody()).toMatchObject({
    system: [{ type: "text", text: "be" }],
    stop_sequences: ["END"],
  });
});

test("a message of more than 8 MiB is refused: the account is not charged, and the loss is recorded", async () => {
  allow();
  const usual = answer;
  const text = "x".repeat(8 * 1024 * 1024);
  answer = message([{ type: "text", text }], { usage: messageUsage(5, 2) });
  const { status, json } = await relay.chat();
  expect([status, json.error]).toEqual([
    502,
    expect.objectContaining({ code: "upstream_bad_response" }),
  ]);
  expect(await lastEnd()).toMatchObject({
    outcome: "released",
    amount: 0,
    losses: ["usage_missing"],
  });
  answer = message([{ type: "text", text: text.slice(500) }], { usage: messageUsage(5, 2) });
  expect((await relay.chat()).status).toBe(200);
  expect(await lastEnd()).toMatchObject({ outcome: "settled", input: 5, output: 2 });
  answer = usual;
});
