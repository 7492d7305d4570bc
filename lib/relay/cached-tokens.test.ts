/** Cached, written and reasoning tokens, from the upstream's report to the settlement. */
import { afterEach, beforeAll, expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { forms } from "@/testing/relay/text-forms";
import { opened } from "@/testing/unit/opened";
import {
  chunk,
  completion,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
  usageChunk,
} from "@/testing/upstream/test-upstream";
import { event, message, messageStart } from "@/testing/upstream/text-wires";
import { addPriceVersion } from "../price-book/set-price";
import { priceOfRates } from "../pricing/rate";

const price = priceOfRates([
  { unit: "input_token", amount: 80_000_000n },
  { unit: "cached_input_token", amount: 8_000_000n },
  { unit: "cache_write_token", amount: 100_000_000n },
  { unit: "output_token", amount: 800_000_000n },
  { unit: "reasoning_token", amount: 900_000_000n },
  { unit: "request", amount: 7n },
]);
/** Of 100 input tokens 60 are cached and 10 written; of 20 output tokens 5 are reasoning. */
const due = 30n * 80n + 60n * 8n + 10n * 100n + 15n * 800n + 5n * 900n + 7n;
const quantities = {
  input_token: 30,
  cached_input_token: 60,
  cache_write_token: 10,
  output_token: 15,
  reasoning_token: 5,
  request: 1,
};

const chatUsage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60, cache_creation_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
/** The Messages API counts cached and written input beside `input_tokens`. */
const inputUsage = {
  input_tokens: 30,
  cache_read_input_tokens: 60,
  cache_creation_input_tokens: 10,
};
const outputUsage = { output_tokens: 20, output_tokens_details: { thinking_tokens: 5 } };

const upstreams = {
  openai: (usage: object) =>
    startUpstream((response, { body }) => {
      if (!body.stream) return sendJson(response, completion("hi", { usage }));
      response
        .writeHead(200, streamType)
        .end(
          chunk({ role: "assistant", content: "hi" }) +
            chunk({}, {}, "stop") +
            usageChunk(usage) +
            "data: [DONE]\n\n",
        );
    }),
  anthropic: () =>
    startUpstream((response, { body }) => {
      const usage = { ...inputUsage, ...outputUsage };
      if (!body.stream)
        return sendJson(response, message([{ type: "text", text: "hi" }], { usage }));
      response
        .writeHead(200, streamType)
        .end(
          messageStart({ ...inputUsage, output_tokens: 1 }) +
            event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }) +
            event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "hi" } }) +
            event("content_block_stop", { index: 0 }) +
            event("message_delta", { delta: { stop_reason: "end_turn" }, usage: outputUsage }) +
            event("message_stop"),
        );
    }),
};

let upstream: TestUpstream | undefined;
const relay = await opened(openTestRelay({ channels: [] }));
const added = { model: "RelayV1", price, effectiveAt: null, createdBy: "test" };
const { id, effectiveAt } = await addPriceVersion(relay.pool, added);
beforeAll(async () => {
  relay.setting.versions.set("RelayV1", { id, model: "RelayV1", price, effectiveAt });
});
afterEach(() => upstream?.close());

async function open(protocol: keyof typeof upstreams, usage: object): Promise<void> {
  upstream = await upstreams[protocol](usage);
  relay.setting.channels = [upstream.channel({ protocol })];
}

/** What `send` was charged for, which is one request. */
async function settledOf(send: () => Promise<unknown>) {
  const seen = (await relay.ends()).length;
  await send();
  await relay.ends();
  const { rows } = await relay.pool.query(
    `select amount::text, input_tokens::int as input, output_tokens::int as output, usage -> 'quantities' as quantities
       from request order by ended_at, id offset $1`,
    [seen],
  );
  return rows;
}

const cases = (["openai", "anthropic"] as const).flatMap((protocol) =>
  forms.flatMap((form) => [false, true].map((stream) => [protocol, form, stream] as const)),
);

test.each(cases)(
  "%s upstream, %o, streamed %s: each token is charged once, at its own rate",
  async (protocol, form, stream) => {
    await open(protocol, chatUsage);
    const body = JSON.stringify(
      form.body({
        stream,
        ...(stream && form.name === "chat" && { stream_options: { include_usage: true } }),
      }),
    );
    const settled = await settledOf(async () => {
      const answer = await relay.send(form.path, { body });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toContain(
        form.name === "messages" ? '"cache_read_input_tokens":60' : '"cached_tokens":60',
      );
    });
    expect(settled).toEqual([{ amount: String(due), input: 100, output: 20, quantities }]);
  },
);

test.each([
  [
    "more cached than input",
    { prompt_tokens_details: { cached_tokens: 9000 } },
    { cached_input_token: 100 },
    100n * 8n,
  ],
  [
    "more written than is left",
    { prompt_tokens_details: { cached_tokens: 90, cache_creation_tokens: 900 } },
    { cached_input_token: 90, cache_write_token: 10 },
    90n * 8n + 10n * 100n,
  ],
  [
    "a negative count",
    { prompt_tokens_details: { cached_tokens: -5 } },
    { input_token: 100 },
    100n * 80n,
  ],
  ["a text", { prompt_tokens_details: { cached_tokens: "60" } }, { input_token: 100 }, 100n * 80n],
  [
    "another place",
    { prompt_tokens_details: null, prompt_cache_hit_tokens: 60 },
    { input_token: 40, cached_input_token: 60 },
    40n * 80n + 60n * 8n,
  ],
  [
    "quantities of its own",
    { prompt_tokens_details: null, quantities: { request: 0 } },
    { input_token: 100 },
    100n * 80n,
  ],
])("an upstream that reports %s never makes the whole grow", async (_, wrong, counted, cost) => {
  await open("openai", { ...chatUsage, completion_tokens_details: null, ...wrong });
  const settled = await settledOf(async () => expect((await relay.chat()).status).toBe(200));
  expect(settled).toMatchObject([
    {
      amount: String(cost + 20n * 800n + 7n),
      quantities: { ...counted, output_token: 20, request: 1 },
    },
  ]);
});
