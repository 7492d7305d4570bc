/** Responses in the background: the answer comes by its id, once it is charged; what fails costs nothing. */
import OpenAI from "openai";
import { expect, test } from "vitest";
import { noOutcome } from "@/lib/ledger/core/verbs";
import { scriptedRelay } from "@/testing/relay/scripted-relay";
import { type Script, saying, sendJson, usageOf } from "@/testing/upstream/test-upstream";
import { resolvers } from "../../timing/resolvers";

const setup = await scriptedRelay((upstream) => ({
  channels: [upstream.channel({ models: {} })],
  points: "100000",
}));
const { relay } = setup;
const answered = saying("OK", usageOf(10, 10));
const busy: Script = (response) => sendJson(response, '{"error":{"message":"busy"}}', 503);

const post = (body: object, headers = {}) =>
  relay.send("/v1/responses", {
    body: JSON.stringify({ model: "RelayV1", input: "hi", background: true, ...body }),
    headers,
  });
const got = async (id: unknown, headers = {}) => {
  const { status, json } = await relay.send(`/v1/responses/${id}`, { method: "GET", headers });
  return { status, json };
};
const lastEnd = async () => (await relay.ends()).at(-1);

/** Answers when it is told to. */
function gated(script: Script) {
  const gate = resolvers<void>();
  setup.script = (...given) => gate.promise.then(() => script(...given));
  return gate.resolve;
}

test("it is answered at once, in progress, and got by its id when it is charged, once", async () => {
  const open = gated(answered);
  const { status, json, headers } = await post({ metadata: { team: "a" } });
  expect([status, headers.get("x-relay-points")]).toEqual([200, null]);
  const first = { id: json.id, status: "in_progress", background: true, output: [], usage: null };
  expect(json).toMatchObject({ ...first, metadata: { team: "a" } });
  expect(await got(json.id)).toMatchObject({ status: 200, json: { ...first, model: "RelayV1" } });
  expect((await got(json.id, { authorization: "Bearer other" })).status).toBe(404);
  const cancel = () => relay.send(`/v1/responses/${json.id}/cancel`, { method: "POST" });
  const running = await cancel();
  expect([running.status, running.json.error?.code]).toEqual([409, "task_not_cancellable"]);
  open();
  await expect.poll(async () => (await got(json.id)).json.status).toBe("completed");
  expect((await cancel()).json).toMatchObject({ id: json.id, status: "completed" });
  const done = await got(json.id);
  expect(done.json).toMatchObject({
    ...{ id: json.id, background: true, error: null, usage: { input_tokens: 10 } },
    output: [{ content: [{ text: "OK" }] }],
  });
  expect(await lastEnd()).toMatchObject({ outcome: "settled" });
  const next = await post({ background: false, previous_response_id: json.id });
  expect(next.status).toBe(200);
});

test("the client library waits for it by its id", async () => {
  setup.script = answered;
  const client = new OpenAI({
    ...{ apiKey: "good", baseURL: "http://relay.test/v1", maxRetries: 0 },
    fetch: (url, init) =>
      relay.fetch(new URL(String(url)).pathname, {
        method: init?.method ?? "GET",
        ...(init?.body && { body: String(init.body) }),
      }),
  });
  let response = await client.responses.create({ model: "RelayV1", input: "hi", background: true });
  await expect
    .poll(async () => {
      response = await client.responses.retrieve(response.id);
      return response.status;
    })
    .toBe("completed");
  expect(response.output_text).toBe("OK");
});

test("one that fails says why, and costs nothing; another model is not asked after the answer", async () => {
  const before = await relay.balance();
  setup.script = busy;
  const { status, json } = await post({ models: ["RelayV1"] });
  expect(status).toBe(200);
  await expect.poll(async () => (await got(json.id)).json.status).toBe("failed");
  expect((await got(json.id)).json).toMatchObject({ error: { message: expect.any(String) } });
  expect(await lastEnd()).toMatchObject({ outcome: "released", amount: 0 });
  expect(await relay.balance()).toEqual(before);
});

test("one whose process died is failed and free, also where its answer was stored before", async () => {
  const before = await relay.balance();
  setup.script = async (...given) => {
    const { rows } = await relay.pool.query<{ id: string; account: string }>(
      "select id, account_id as account from open_request",
    );
    for (const { id, account } of rows)
      await relay.ledger.release({
        ...{ operationId: id, accountId: account, reason: "crash_unknown" },
        ...{ loss: null, outcome: noOutcome },
      });
    await answered(...given);
  };
  const { json } = await post({});
  await expect.poll(async () => (await got(json.id)).json.status).toBe("failed");
  const stored = () => relay.pool.query("select from stored_response where id = $1", [json.id]);
  await expect.poll(async () => (await stored()).rowCount).toBe(1);
  expect((await got(json.id)).json).toMatchObject({ status: "failed", output: [] });
  expect(await relay.balance()).toEqual(before);
});

test("with an Idempotency-Key a retry names the same response, which is charged once", async () => {
  setup.script = answered;
  const known = (await relay.ends()).length;
  const send = () => post({}, { "idempotency-key": "in-background" });
  const [one, other] = [await send(), await send()];
  expect(other.text).toBe(one.text);
  await expect.poll(async () => (await got(one.json.id)).json.status).toBe("completed");
  expect((await send()).text).toBe(one.text);
  expect((await relay.ends()).length).toBe(known + 1);
});

test.each([
  [{ store: false }, "background"],
  [{ stream: true }, "stream"],
])("one that nobody could get is refused by name: %j", async (body, param) => {
  const { status, json } = await post(body);
  expect([status, json.error?.param]).toEqual([400, param]);
});
