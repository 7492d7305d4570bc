/** Models that a request names for when its own cannot be had: one hold at a time, one charge. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { sellModel } from "@/testing/relay/sold-model";
import {
  completion,
  type Script,
  saying,
  sendJson,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { replaceVirtualModels } from "../../catalog/virtual-models";
import { readVirtualModels } from "../../contract/virtual-rules";
import { answerRequest } from "../../http/fetch-lane";
import { resolvers } from "../../timing/resolvers";

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel({ models: {} })],
  keepAliveMs: 3000,
}));
const first = "RelayV1";
const second = "acme-second";
const third = "acme-third";
const unpriced = "acme-unpriced";
/** What each model's upstream answers; the others answer well. */
let failing: Readonly<Record<string, Script>> = {};
let asked: string[] = [];

const fileOf = (id: string, points: number) => ({
  id,
  family: "text",
  spec: { output_tokens_max: 4000, context_tokens: 8000 },
  rates: [
    { unit: "input_token", points },
    { unit: "output_token", points },
  ],
});

await sellModel(setup.relay, fileOf(second, 1));
await sellModel(setup.relay, fileOf(third, 2));
await sellModel(setup.relay, fileOf(unpriced, 2));
setup.relay.setting.versions.delete(unpriced);
setup.script = (response, request, count) => {
  const model = String(request.body.model);
  asked.push(model);
  return (failing[model] ?? saying("OK", usageOf(10, 10)))(response, request, count);
};
beforeEach(() => {
  failing = {};
  asked = [];
});

const busy: Script = (response) => sendJson(response, '{"error":{"message":"busy"}}', 503);
const tooLong: Script = (response) =>
  sendJson(
    response,
    JSON.stringify({
      error: {
        message: "This model's maximum context length is 8000 tokens.",
        code: "context_length_exceeded",
      },
    }),
    400,
  );
const broken: Script = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end("not json");
};

const ends = async () =>
  (
    await setup.relay.pool.query<{ model: string; outcome: string; reason: string | null }>(
      "select model, outcome, reason from request order by created_at, id",
    )
  ).rows;
async function endsOf(run: () => Promise<unknown>) {
  await setup.relay.ends();
  const known = (await ends()).length;
  await run();
  await setup.relay.ends();
  return (await ends()).slice(known).map(({ model, outcome }) => [model, outcome]);
}

for (const stream of [false, true])
  test(`the next model answers when the one before is busy, ${stream ? "streamed" : "plain"}: its hold is released, and only one is charged`, async () => {
    failing = { [first]: busy, [second]: tooLong };
    const told = await endsOf(async () => {
      const answer = await setup.relay.chat({ models: ["relay-v1", second, third], stream });
      expect([answer.status, answer.headers.get("x-relay-model")]).toEqual([200, third]);
      expect(answer.text).toContain(`"model":"${third}"`);
      expect(answer.text).not.toContain("RelayV1");
    });
    expect(told).toEqual([
      ["RelayV1", "released"],
      [second, "released"],
      [third, "settled"],
    ]);
    expect(asked).toEqual(["RelayV1", second, third]);
  });

test("in the Messages and the Responses API too, with the ids of one answer", async () => {
  failing = { [first]: busy };
  const messages = [{ role: "user", content: "hi" }];
  const bodies = {
    "/v1/messages": { model: "RelayV1", models: [second], max_tokens: 100, messages },
    "/v1/responses": { model: "RelayV1", models: [second], input: "hi" },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const answer = await setup.relay.send(path, { body: JSON.stringify(body) });
    expect([answer.status, answer.headers.get("x-relay-model")]).toEqual([200, second]);
    expect(answer.json).toMatchObject({ model: second });
    expect(answer.headers.get("x-relay-ignored-fields") ?? "").not.toContain("models");
  }
});

test("a model without a price is passed over, and nothing is held for it", async () => {
  const told = await endsOf(async () => {
    const answer = await setup.relay.chat({ model: unpriced, models: [second] });
    expect([answer.status, answer.headers.get("x-relay-model")]).toEqual([200, second]);
    expect((await setup.relay.chat({ model: second, models: [unpriced] })).status).toBe(200);
  });
  expect(told).toEqual([
    [second, "settled"],
    [second, "settled"],
  ]);
});

test("what may have cost something, or is the request's own fault, is not asked again elsewhere", async () => {
  failing = { [first]: broken };
  const told = await endsOf(async () => {
    expect((await setup.relay.chat({ models: [second] })).status).toBe(502);
  });
  expect(told).toEqual([["RelayV1", "released"]]);
  failing = {
    [first]: (response) =>
      sendJson(response, '{"error":{"message":"bad","param":"temperature"}}', 400),
  };
  expect((await setup.relay.chat({ models: [second] })).status).toBe(400);
  expect(asked).not.toContain(second);
});

test("a name that the caller may not use is refused by its place, before anything is held", async () => {
  const told = await endsOf(async () => {
    const unknown = await setup.relay.chat({ models: [second, "acme-nothing"] });
    expect([unknown.status, unknown.json.error?.code, unknown.json.error?.param]).toEqual([
      404,
      "model_not_found",
      "models[1]",
    ]);
    const video = await setup.relay.chat({ models: ["super-relay"] });
    expect([video.status, video.json.error?.param]).toEqual([400, "models[0]"]);
    const { setting } = setup.relay;
    const { principal } = setting;
    setting.principal = { ...principal, models: ["RelayV1"] };
    const forbidden = await setup.relay.chat({ models: [second] });
    setting.principal = principal;
    expect([forbidden.status, forbidden.json.error?.param]).toEqual([403, "models[0]"]);
    expect((await setup.relay.chat({ models: Array(9).fill(second) })).status).toBe(400);
  });
  expect(told).toEqual([]);
});

test("with an Idempotency-Key the answer of the model that served is given again, and charged once", async () => {
  failing = { [first]: busy };
  const told = await endsOf(async () => {
    const send = () =>
      setup.relay.chat({ models: [second] }, { "idempotency-key": "with-fallback" });
    const [one, other] = await Promise.all([send(), send()]);
    const third = await send();
    expect([one.status, other.status, third.status]).toEqual([200, 200, 200]);
    expect(new Set([one.text, other.text, third.text]).size).toBe(1);
    expect(one.json).toMatchObject({ model: second });
  });
  expect(told).toEqual([
    ["RelayV1", "released"],
    [second, "settled"],
  ]);
});

test("a stream that was kept alive goes on with the next model, and does not name the first", async () => {
  const gate = resolvers<void>();
  failing = { [first]: (...call) => gate.promise.then(() => busy(...call)) };
  const body = JSON.stringify({
    model: first,
    models: [second],
    stream: true,
    messages: [{ role: "user", content: "hi" }],
  });
  const headers = { authorization: "Bearer good", "content-type": "application/json" };
  const request = new Request("http://relay.test/v1/chat/completions", {
    method: "POST",
    headers,
    body,
  });
  const answer = await answerRequest(setup.relay.find, request);
  expect([answer.status, answer.headers.get("x-relay-model")]).toEqual([200, null]);
  gate.resolve();
  const text = await answer.text();
  expect(text).toContain(`"model":"${second}"`);
  expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
});

test("a large answer names the model that made it", async () => {
  failing = {
    [first]: busy,
    [second]: (response) =>
      sendJson(response, completion("x".repeat(2_000_000), { usage: usageOf(10, 3000) })),
  };
  const answer = await setup.relay.chat({ models: [second] });
  expect(answer.text.slice(0, 200)).toContain(`"model":"${second}"`);
});

describe("a model that stands for others", () => {
  const rules = (text: string) => {
    const read = readVirtualModels(text);
    if (typeof read === "string") throw new Error(read);
    replaceVirtualModels(read);
  };
  beforeAll(() => rules(`relay/best: models=acme-* order=cheapest\nrelay/none: models=acme-none`));
  afterAll(() => replaceVirtualModels([]));
  const served = async (body: object) => {
    const { status, headers, json } = await setup.relay.chat(body);
    return [status, headers.get("x-relay-model"), json.error?.code ?? json.model];
  };

  test("asks them in the order of its rules, with the price, hold and limits of each", async () => {
    failing = { [second]: busy };
    const told = await endsOf(async () => {
      expect(await served({ model: "relay/best" })).toEqual([200, third, third]);
    });
    expect(told).toEqual([
      [second, "released"],
      [third, "settled"],
    ]);
    rules("relay/best: models=acme-* order=dearest tried=1 input_price<=1.5");
    failing = {};
    expect(await served({ model: "relay/best" })).toEqual([200, second, second]);
    rules("relay/best: models=acme-* order=cheapest\nrelay/none: models=acme-none");
    expect(await served({ models: ["relay/best"] })).toEqual([200, "RelayV1", "RelayV1"]);
  });

  test("chooses only what the key may use, and says where that is nothing", async () => {
    const { setting } = setup.relay;
    const { principal } = setting;
    setting.principal = { ...principal, models: [third] };
    expect(await served({ model: "relay/best" })).toEqual([200, third, third]);
    setting.principal = { ...principal, models: ["RelayV1"] };
    expect(await served({ model: "relay/best" })).toEqual([403, null, "model_not_allowed"]);
    setting.principal = { ...principal, sees: (id) => id === "RelayV1" };
    expect(await served({ model: "relay/best" })).toEqual([404, null, "model_not_found"]);
    setting.principal = principal;
    expect(await served({ model: "relay/none" })).toEqual([404, null, "model_not_found"]);
  });

  test("is listed with the range of its prices, and quoted at the dearest that is tried", async () => {
    const list = await setup.relay.send("/v1/models", { method: "GET" });
    const data = list.json.data as { id: string }[];
    const entry = data.find(({ id }) => id === "relay/best");
    expect(entry).toMatchObject({
      pricing: { input: 2, output: 2 },
      choice: { models: [second, third], input_min: 1, output_min: 1 },
    });
    expect(data.map(({ id }) => id)).not.toContain("relay/none");
    const one = await setup.relay.send("/v1/models/relay%2Fbest", { method: "GET" });
    expect(one.json).toEqual(entry);
    const quote = (model: string) =>
      setup.relay.send("/v1/quote", {
        body: JSON.stringify({
          endpoint: "/v1/chat/completions",
          ...{ model, messages: [{ role: "user", content: "hi" }] },
        }),
      });
    const [best, dearest] = await Promise.all([quote("relay/best"), quote(third)]);
    expect(best.json).toEqual(dearest.json);
  });
});
