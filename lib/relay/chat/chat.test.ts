import { expect, test } from "vitest";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { hello, openTestRelay } from "@/testing/relay/test-relay";
import {
  completion,
  type Script,
  saying,
  sendJson,
  startUpstream,
  type TestUpstream,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { chatResponse } from "../../contract/chat";

const setup = await scriptedRelay();

const answer =
  (text: string, usage: unknown): Script =>
  (response) =>
    sendJson(response, completion(text, { usage, system_fingerprint: "fp" }));

test("a plain answer is the upstream's, with our id, the requested model name and its cost in points", async () => {
  setup.script = answer("hi", usageOf(1000, 1000));
  const before = await setup.relay.balance();
  const { status, headers, json } = await setup.relay.chat({
    model: "relay-v1",
    temperature: 0.5,
    tools: [{ type: "function" }],
    seed: 7,
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    model: "relay-v1",
    system_fingerprint: "fp",
    usage: usageOf(1000, 1000),
    choices: [{ message: { content: "hi" } }],
  });
  expect(chatResponse.safeParse(json).success).toBe(true);
  expect(json.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
  expect(headers.get("x-relay-points")).toBe("0.88");
  expect(headers.get("content-type")).toContain("application/json");
  const { body, headers: sent, path } = setup.upstream.seen.at(-1) as TestUpstream["seen"][number];
  expect(body).toEqual({
    model: "upstream-name",
    max_tokens: 16_384,
    messages: hello,
    temperature: 0.5,
    tools: [{ type: "function" }],
    seed: 7,
  });
  expect(sent.authorization).toBe("Bearer upstream-secret");
  expect(path).toBe("/v1/chat/completions");
  const after = await setup.relay.balance();
  expect(before.available - after.available).toBe(880_000n);
  expect(after.held).toBe(0n);
});

test("the client's own cap goes upstream under the name it used, never above the model's maximum", async () => {
  setup.script = answer("hi", usageOf(1, 1));
  const sentFor = async (body: object) => {
    expect((await setup.relay.chat(body)).status).toBe(200);
    const { max_tokens, max_completion_tokens } = (
      setup.upstream.seen.at(-1) as TestUpstream["seen"][number]
    ).body;
    return { max_tokens, max_completion_tokens };
  };
  expect(await sentFor({ max_tokens: 5 })).toEqual({ max_tokens: 5 });
  expect(await sentFor({ max_completion_tokens: 6 })).toEqual({ max_completion_tokens: 6 });
  expect(await sentFor({ max_tokens: 9, max_completion_tokens: 6 })).toEqual({ max_tokens: 6 });
  expect(await sentFor({ max_tokens: 1_000_000 })).toEqual({ max_tokens: 16_384 });
  expect(await sentFor({ max_tokens: null, n: 1, stream: false })).toEqual({ max_tokens: 16_384 });
});

test("the charge includes the multiplier of the key's account", async () => {
  setup.script = answer("hi", usageOf(1000, 1000));
  const { principal } = setup.relay.setting;
  setup.relay.setting.principal = { ...principal, multiplierPpm: () => 1_250_000 };
  const { headers } = await setup.relay.chat();
  setup.relay.setting.principal = principal;
  expect(headers.get("x-relay-points")).toBe("1.1");
});

test("zero usage for an empty answer costs nothing; zero usage for a full one is an operator's loss", async () => {
  setup.script = answer("", usageOf(0, 0));
  expect((await setup.relay.chat()).headers.get("x-relay-points")).toBe("0");
  setup.script = answer("full", usageOf(0, 0));
  expect((await setup.relay.chat()).headers.get("x-relay-points")).toBe("0");
  const [empty, full] = (await setup.relay.ends()).slice(-2);
  expect(empty).toMatchObject({ outcome: "settled", amount: 0, losses: [] });
  expect(full).toMatchObject({
    outcome: "released",
    reason: "usage_missing",
    losses: ["usage_missing"],
  });
});

test("a model that the key may not use, an unknown one, and one of another family are refused with nothing sent", async () => {
  const sent = setup.upstream.seen.length;
  const { principal } = setup.relay.setting;
  setup.relay.setting.principal = { ...principal, models: ["Super-Relay"] };
  expect(await setup.relay.chat()).toMatchObject({
    status: 403,
    json: { error: { code: "model_not_allowed", param: "model" } },
  });
  setup.relay.setting.principal = principal;
  expect(await setup.relay.chat({ model: "gpt-4" })).toMatchObject({
    status: 404,
    json: { error: { code: "model_not_found", param: "model" } },
  });
  expect(await setup.relay.chat({ model: "super-relay" })).toMatchObject({
    status: 400,
    json: { error: { code: "unsupported_value", param: "model" } },
  });
  expect(setup.upstream.seen.length).toBe(sent);
});

test("another channel is tried only when the first attempt certainly cost nothing", async () => {
  const second = await startUpstream(saying("second", usageOf(1, 1)));
  const pair = await openTestRelay({ channels: [] });
  const channels = () => [setup.upstream.channel({ priority: 2 }), second.channel({ priority: 1 })];
  for (const status of [429, 503, 401]) {
    pair.setting.channels = channels();
    setup.script = (response) => sendJson(response, "{}", status);
    expect(await pair.chat()).toMatchObject({
      status: 200,
      json: { choices: [{ message: { content: "second" } }] },
    });
  }
  const sent = second.seen.length;
  for (const [one, code] of [
    [(response) => sendJson(response, "{}", 500), "upstream_failed"],
    [(response) => void response.destroy(), "upstream_failed"],
    [(response) => sendJson(response, "nonsense"), "upstream_bad_response"],
  ] as [Script, string][]) {
    pair.setting.channels = channels();
    setup.script = one;
    expect(await pair.chat()).toMatchObject({ status: 502, json: { error: { code } } });
  }
  expect(second.seen.length).toBe(sent);
  await pair.close();
  await second.close();
});

test("a channel's limits reject at once, and nothing is held", async () => {
  setup.script = answer("hi", usageOf(1, 1));
  const limited = await openTestRelay({
    channels: [setup.upstream.channel({ requestsPerSecond: 2 })],
  });
  const answers = await Promise.all(Array.from({ length: 5 }, () => limited.chat()));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
  const { json, headers } = answers.find(
    ({ status }) => status === 429,
  ) as (typeof answers)[number];
  expect(json.error).toMatchObject({
    code: "upstream_concurrency_exceeded",
    type: "rate_limit_error",
  });
  expect(headers.get("retry-after")).toBe("1");
  expect(headers.get("x-should-retry")).toBeNull();
  expect(await limited.ends()).toHaveLength(2);
  await limited.close();
});

test.each(["", "same", "x".repeat(10_000), "nul\u0000", 7, null])(
  "an upstream's own id %j never becomes ours",
  async (id) => {
    setup.script = (response) =>
      sendJson(response, completion("hi", { id, usage: { ...usageOf(1, 1), note: "nul\u0000" } }));
    const { status, json } = await setup.relay.chat();
    expect(status).toBe(200);
    expect(json.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    expect((await setup.relay.ends()).at(-1)).toMatchObject({
      outcome: "settled",
      input: 1,
      output: 1,
    });
  },
);

test.each([false, true])(
  "an upstream's text about our credential or its internals reaches neither the client nor the log (stream: %s)",
  async (stream) => {
    const secrets = ["upstream-secret", "CANARY"];
    for (const status of [400, 401, 403, 404, 429, 500, 200]) {
      setup.script = (response, { headers }) => {
        const said = `CANARY ${headers.authorization} at https://inside.example/v1`;
        sendJson(
          response,
          JSON.stringify({ error: { message: said, code: said, type: said, param: said } }),
          status,
        );
      };
      const { text } = await setup.relay.chat({ stream });
      for (const secret of secrets) expect(text + setup.relay.logged.join()).not.toContain(secret);
    }
  },
);
