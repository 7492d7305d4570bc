import { beforeEach, expect, test } from "vitest";
import { slowly, startTwoProcesses, streamed, withKey } from "@/testing/idempotency/two-processes";
import { hello } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { chunk, sendJson, streamType, usageChunk, usageOf } from "@/testing/upstream/test-upstream";
import { openPool } from "../db/pool";
import { pause } from "../timing/pause";
import { createRemover } from "../upkeep/remover";

const processes = await opened(startTwoProcesses());
const { upstream, relay, other, database } = processes;
beforeEach(() => {
  upstream.seen.length = 0;
});

test("fifty equal requests at once in two processes give one upstream request, one charge and fifty equal answers", async () => {
  processes.script = slowly;
  const key = processes.freshKey();
  const before = await processes.settledOf();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => (at % 2 ? relay : other).chat({}, withKey(key))),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(
    answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true"),
  ).toHaveLength(49);
  expect(new Set(answers.map(({ headers }) => headers.get("x-relay-points")))).toEqual(
    new Set(["0.0088"]),
  );
  expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(50);
  expect(upstream.seen).toHaveLength(1);
  expect(await processes.settledOf()).toBe(before + 1);
});

test("a later retry gets the stored answer byte for byte, in any process", async () => {
  processes.script = slowly;
  const key = processes.freshKey();
  const first = await relay.chat({}, withKey(key));
  const [again, elsewhere] = [
    await relay.chat({}, withKey(key)),
    await other.chat({}, withKey(key)),
  ];
  expect([again.text, elsewhere.text]).toEqual([first.text, first.text]);
  expect(elsewhere.headers.get("idempotent-replayed")).toBe("true");
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(elsewhere.headers.get("content-type")).toBe(first.headers.get("content-type"));
  expect(upstream.seen).toHaveLength(1);
});

test("a key used with another body is refused, while the first runs and afterwards", async () => {
  processes.script = slowly;
  const key = processes.freshKey();
  const running = relay.chat({}, withKey(key));
  await pause(100);
  for (const process of [relay, other]) {
    const refused = await process.chat({ temperature: 1 }, withKey(key));
    expect([refused.status, refused.json.error?.code]).toEqual([422, "idempotency_key_reused"]);
  }
  expect((await running).status).toBe(200);
  expect((await other.chat({ temperature: 1 }, withKey(key))).status).toBe(422);
  expect(upstream.seen).toHaveLength(1);
});

test("a stream's retry must wait while it runs; after its end it learns the charge and its request id", async () => {
  let finish = () => {};
  processes.script = (response) => {
    response.writeHead(200, streamType).write(chunk({ content: "hi" }));
    finish = () => response.end(`${usageChunk(usageOf(10, 10))}data: [DONE]\n\n`);
  };
  const key = processes.freshKey();
  const body = JSON.stringify({ model: "RelayV1", messages: hello, stream: true });
  const first = await relay.fetch("/v1/chat/completions", { body, headers: withKey(key) });
  const id = first.headers.get("x-request-id") as string;
  for (const process of [relay, other]) {
    const early = await process.chat({ stream: true }, withKey(key));
    expect([early.status, early.json.error?.code]).toEqual([409, "idempotency_in_progress"]);
    expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  finish();
  expect(await first.text()).toContain("[DONE]");
  for (const process of [relay, other]) {
    const late = await process.chat({ stream: true }, withKey(key));
    expect([late.status, late.json.error?.code, late.json.error?.request_id]).toEqual([
      409,
      "idempotency_finished",
      id,
    ]);
    expect(late.headers.get("x-should-retry")).toBe("false");
    expect(late.json.error?.message).toContain(id);
  }
  expect(upstream.seen).toHaveLength(1);
});

test("a failure without a charge is not stored: the retry runs, for a plain call and for a stream that broke off", async () => {
  const key = processes.freshKey();
  processes.script = (response) => sendJson(response, "{}", 400);
  expect((await relay.chat({}, withKey(key))).status).toBe(400);
  expect(await processes.rowOf(key)).toBeUndefined();
  processes.script = slowly;
  expect((await other.chat({}, withKey(key))).status).toBe(200);

  const second = processes.freshKey();
  processes.script = (response) =>
    void response
      .writeHead(200, streamType)
      .write(chunk({ content: "hi" }), () => response.destroy());
  expect((await relay.chat({ stream: true }, withKey(second))).text).not.toContain("[DONE]");
  await relay.ends();
  processes.script = streamed;
  expect((await other.chat({ stream: true }, withKey(second))).text).toContain("[DONE]");
});

test("a refusal is not stored", async () => {
  const key = processes.freshKey();
  const price = relay.setting.price;
  relay.setting.price = null;
  expect((await relay.chat({}, withKey(key))).status).toBe(503);
  relay.setting.price = price;
  processes.script = slowly;
  expect((await relay.chat({}, withKey(key))).status).toBe(200);
});

test.each(["", "a".repeat(256), "käse", "tab\tbed"])("the key %j is refused", async (key) => {
  const refused = await relay.chat({}, withKey(key));
  expect([refused.status, refused.json.error?.code]).toEqual([400, "invalid_value"]);
});

test("after a day the key is free again and its row is removed", async () => {
  processes.script = slowly;
  const [key, forgotten] = [processes.freshKey(), processes.freshKey()];
  await relay.chat({}, withKey(key));
  await relay.chat({}, withKey(forgotten));
  await database.query("update idempotent_request set expires_at = now() where key = any($1)", [
    [key, forgotten],
  ]);
  expect(
    (await relay.chat({ temperature: 1 }, withKey(key))).headers.get("idempotent-replayed"),
  ).toBeNull();
  const pool = openPool(relay.seeded.url, 1);
  await createRemover(pool, { deliveryDays: 30, signInFailureHours: 1 }).removePieces();
  await pool.end();
  expect(await processes.rowOf(forgotten)).toBeUndefined();
  expect((await processes.rowOf(key)).state).toBe("answered");
});

test("a key that may not use the model gets neither the stored answer nor a running one", async () => {
  processes.script = slowly;
  const key = processes.freshKey();
  const first = relay.chat({}, withKey(key));
  await pause(100);
  const { principal } = other.setting;
  other.setting.principal = {
    ...principal,
    apiKeyId: "key_small",
    rateSubject: "key_small",
    models: ["super-relay"],
  };
  const early = await other.chat({}, withKey(key));
  expect((await first).status).toBe(200);
  const late = await other.chat({}, withKey(key));
  other.setting.principal = principal;
  for (const refused of [early, late])
    expect([refused.status, refused.json.error?.code]).toEqual([403, "model_not_allowed"]);
  expect((await other.chat({}, withKey(key))).headers.get("idempotent-replayed")).toBe("true");
});
