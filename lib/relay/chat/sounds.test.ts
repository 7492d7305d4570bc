/** Sounds of a request: held by their bytes, passed on as they came, and billed at a rate of their own. */
import { expect, test } from "vitest";
import { wholeTextRelay } from "@/testing/relay/whole-text-relay";
import { response } from "@/testing/upstream/hosted-wires";
import { completion, usageOf } from "@/testing/upstream/test-upstream";

const { setup, at, post, lastEnd, seen } = await wholeTextRelay();

const sound = (bytes: number) => ({
  type: "input_audio",
  input_audio: { data: Buffer.alloc(bytes, 7).toString("base64"), format: "wav" },
});
const hears = (bytes: number) => [
  { role: "user", content: [{ type: "text", text: "What is it?" }, sound(bytes)] },
];

/** What an upstream says of 50 tokens in, of which 30 are sound, and 20 out. */
const usage = { ...usageOf(50, 20), prompt_tokens_details: { audio_tokens: 30 } };
const due = 20 * 80 + 30 * 1600 + 20 * 800;

test("chat: a sound reaches the upstream as it came and is billed at its rate, within its hold", async () => {
  at("openai", completion("A boat.", { usage }));
  const messages = hears(9000);
  const quote = await post("/v1/quote", { endpoint: "createChatCompletion", messages });
  const { status } = await post("/v1/chat/completions", { messages });
  expect(status).toBe(200);
  expect(seen().messages).toEqual(messages);
  const end = await lastEnd();
  expect(end).toMatchObject({ outcome: "settled", amount: due });
  expect(Number(quote.json.hold_points)).toBeCloseTo((end?.held ?? 0) / 1e6, 6);
  // 90 tokens of sound at most, and text of some hundred bytes: not the 12,000 of its base64.
  expect(end?.held).toBeGreaterThan(90 * 1600 + 100 * 800);
  expect(end?.held).toBeLessThan(90 * 1600 + (100 * 800 + 1000 * 80) * 2);
});

test("Responses: a sound is asked for as chat, or goes to the upstream's own API with its tools", async () => {
  at("openai", completion("A boat.", { usage }));
  const input = hears(900).map(({ role, content: [, part] }) => ({ role, content: [part] }));
  expect((await post("/v1/responses", { input })).status).toBe(200);
  expect(seen().messages).toEqual(input);
  expect(await lastEnd()).toMatchObject({ amount: due });

  const details = {
    input_tokens: 50,
    output_tokens: 20,
    input_tokens_details: { audio_tokens: 30 },
  };
  at("openai", JSON.stringify({ ...response, output: [], usage: details }));
  const tools = [{ type: "web_search" }];
  expect((await post("/v1/responses", { input, tools })).status).toBe(200);
  expect(setup.upstream.seen.at(-1)?.path).toMatch(/\/responses$/);
  expect(seen().input).toEqual(input);
  expect(await lastEnd()).toMatchObject({ amount: due });
});

test("what an upstream says of sounds that nobody sent is billed as other input", async () => {
  at("openai", completion("hi", { usage }));
  await post("/v1/chat/completions", { messages: [{ role: "user", content: "hello" }] });
  expect(await lastEnd()).toMatchObject({ amount: 50 * 80 + 20 * 800 });
});

test.each<["openai" | "anthropic", object, string]>([
  ["openai", { model: "RelayV1" }, "messages"],
  ["anthropic", {}, "messages"],
  [
    "openai",
    {
      messages: [
        {
          role: "user",
          content: [{ ...sound(1), input_audio: { data: "https://files.example/a.wav" } }],
        },
      ],
    },
    "messages[0].content[0].input_audio.data",
  ],
])(
  "a sound that cannot be counted or heard costs nothing: %s %j",
  async (protocol, body, param) => {
    at(protocol, completion("hi", { usage }));
    const asked = setup.upstream.seen.length;
    const balance = await setup.relay.balance();
    const { status, json } = await post("/v1/chat/completions", { messages: hears(900), ...body });
    expect([status, json.error?.param]).toEqual([400, param]);
    expect(setup.upstream.seen).toHaveLength(asked);
    expect(await setup.relay.balance()).toEqual(balance);
  },
);
