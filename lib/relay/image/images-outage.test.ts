/**
 * Tests that an image made during a database outage is delivered and charged once, and that one
 * which our store does not take costs nothing.
 */
import { afterEach, expect, onTestFinished, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { faultsOf } from "@/testing/ledger/faults-of";
import { pngOf } from "@/testing/media/files";
import { startS3Server } from "@/testing/media/s3-server";
import { openTestRelay, type TestRelay, type TestRelayOptions } from "@/testing/relay/test-relay";
import { sendJson, startUpstream, type TestUpstream } from "@/testing/upstream/test-upstream";

let relay: TestRelay;
let proxy: DatabaseProxy;
let upstream: TestUpstream;
/** Called while the upstream works. */
let whileMade: () => void;

afterEach(async () => {
  proxy.setDown(false);
  await relay.close();
  await proxy.stop();
  await upstream.close();
});

async function open(more: Partial<TestRelayOptions> = {}): Promise<void> {
  upstream = await startUpstream((response, { path }) => {
    if (path.startsWith("/results/")) return void response.end(pngOf(2048, 2048));
    whileMade();
    const url = `http://${response.req.headers.host}/results/1.png`;
    sendJson(
      response,
      JSON.stringify({ model: "m", created: 1, data: [{ url }], usage: { output_tokens: 1 } }),
    );
  });
  const through = async (url: string) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  };
  const channel = upstream.channel({
    protocol: "ark",
    models: { "super-relay-img": "their-image" },
  });
  const ledgerTimings = { endPatienceMs: 400, heartbeatMs: 200 };
  relay = await openTestRelay({ channels: [channel], through, ledgerTimings, ...more });
}

const send = (extra: object = {}, headers: Record<string, string> = {}) =>
  relay.send("/v1/images/generations", {
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox", ...extra }),
    headers,
  });
const failingChecks = () => faultsOf(relay.pool);
const settled = async () =>
  (
    await relay.pool
      .query("select outcome, amount::float8 as amount from request")
      .catch(() => ({ rows: [] }))
  ).rows;

test.each([{}, { response_format: "b64_json" }])(
  "%j: the answer arrives, the charge follows from the spool, the file can be downloaded",
  async (extra) => {
    whileMade = () => proxy.setDown(true);
    await open();
    const answer = await send(extra);
    expect([answer.status, answer.json.error]).toEqual([200, undefined]);
    proxy.setDown(false);
    await expect
      .poll(settled, { timeout: 10_000 })
      .toEqual([{ outcome: "settled", amount: expect.any(Number) }]);
    expect(relay.alarms).toEqual([]);
    const [item] = answer.json.data as { url?: string; b64_json?: string }[];
    if (item?.url) {
      const path = item.url.replace("http://relay.test", "");
      await expect.poll(async () => (await relay.send(path)).status, { timeout: 10_000 }).toBe(200);
    }
    const stored = async () =>
      (
        await relay.pool.query(
          "select bytes::float8 as bytes, stored_at is not null as stored from media",
        )
      ).rows;
    await expect
      .poll(stored, { timeout: 10_000 })
      .toEqual([{ bytes: pngOf(2048, 2048).length, stored: true }]);
    expect(await failingChecks()).toEqual([]);
  },
  30_000,
);

test("the row of a file survives the process that wrote it", async () => {
  whileMade = () => proxy.setDown(true);
  await open();
  const answer = await send({}, {});
  expect(answer.status).toBe(200);
  // In production the next process reads the spool folder; here this process does.
  proxy.setDown(false);
  await expect.poll(() => relay.media.writeRows().catch(() => null), { timeout: 10_000 }).toBe(0);
  expect((await relay.pool.query("select from media where stored_at is not null")).rowCount).toBe(
    1,
  );
}, 30_000);

/** Resolves when the store is known to take files again. */
const storeIsBack = () =>
  expect.poll(() => relay.media.assertTakes(), { timeout: 20_000 }).toBeUndefined();

test("an image that our store does not take or give back costs nothing, and the upstream is not blamed", async () => {
  const store = await startS3Server();
  onTestFinished(() => store.close());
  whileMade = () => {};
  await open({ s3: store.settings });
  store.behaviour.answerBefore = (_, method) => (method === "PUT" ? 503 : null);
  const refused = await send();
  expect([refused.status, refused.json.error?.code]).toEqual([500, "internal_error"]);
  store.repair();
  await storeIsBack();
  // It can be written, and then not be read again for the answer.
  store.behaviour.answerBefore = (_, method) => (method === "GET" ? 503 : null);
  expect((await send({ response_format: "b64_json" })).status).toBe(500);
  store.repair();
  await storeIsBack();
  expect((await send()).status).toBe(200);
  const lost = { outcome: "released", amount: 0, losses: ["usage_missing"] };
  expect(await relay.ends()).toMatchObject([lost, lost, { outcome: "settled", losses: [] }]);
  expect(relay.alarms.map(({ alarm }) => alarm)).toEqual(["result_lost"]);
}, 60_000);

test("while the store is known to fail, no image or video is ordered upstream, and it comes back by itself", async () => {
  const store = await startS3Server();
  onTestFinished(() => store.close());
  whileMade = () => {};
  await open({ s3: store.settings, keepsVideos: true });
  store.behaviour.answerBefore = (_, method) => (method === "PUT" ? 503 : null);
  expect((await send()).status).toBe(500);
  let asked = 0;
  whileMade = () => void asked++;
  const image = { model: "super-relay-img", prompt: "A fox" };
  const video = {
    model: "super-relay-2.5",
    resolution: "480p",
    content: [{ type: "text", text: "A fox" }],
  };
  const orders = [
    ["/v1/images/generations", image, {}],
    ["/v1/images/generations", { ...image, stream: true }, {}],
    ["/v1/images/generations", image, { prefer: "respond-async" }],
    ["/v1/videos/generations", { ...video, content: undefined, prompt: "A fox" }, {}],
    ["/v1/contents/generations/tasks", video, {}],
  ] as const;
  for (const [path, body, headers] of orders) {
    const answer = await relay.send(path, { body: JSON.stringify(body), headers });
    expect([path, answer.status, answer.json.error?.code]).toEqual([path, 503, "service_busy"]);
    expect(answer.headers.get("retry-after")).toMatch(/^[1-5]$/);
  }
  expect(asked).toBe(0);
  expect(await relay.ends()).toHaveLength(1);
  store.repair();
  await storeIsBack();
  expect((await send()).status).toBe(200);
}, 60_000);
