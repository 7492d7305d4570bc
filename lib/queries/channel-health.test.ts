import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import {
  chunk,
  completion,
  sendJson,
  startUpstream,
  streamType,
  type TestUpstream,
  usageChunk,
  usageOf,
} from "@/testing/upstream/test-upstream";
import { createHealthRecorder, type HealthRecorder } from "../channels/health-recorder";
import { LATENCY_STEPS, latencyAt, latencyStep } from "../channels/latency";
import { createChannel } from "../commands/channels";
import { fixedSecrets } from "../crypto/secrets";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { failureOf } from "../upstream/failure";
import { meterProviders } from "../upstream/meter";
import type { Providers } from "../upstream/providers";
import { createProviders } from "../upstream/wiring/create-providers";
import { readChannelHealth, readHealthSlots } from "./channel-health";

const url = await createTestDatabase();
const pool = await opened(openPool(url, 8));
const owner = await opened(openPool(ownerUrlOf(url), 1));
const database = await opened(connectDatabase(url, 2));
/** Of the test that runs. */
let channelId: string;
const endings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  const channel = {
    name: crypto.randomUUID(),
    protocol: "openai",
    baseUrl: "https://api.example.com",
    apiKey: null,
    models: { RelayV1: "x" },
  } as const;
  channelId = (
    await createChannel({ database, secrets: fixedSecrets("s".repeat(32)) }, "test", channel)
  ).id;
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function recorder(nodeId: string, cooldownOf = () => 0): HealthRecorder {
  const made = createHealthRecorder({ pool, nodeId, cooldownOf, onProblem: () => {} });
  endings.push(() => made.close());
  return made;
}

const healthOf = async () => (await readChannelHealth(pool, channelId)).get(channelId);
const broken = failureOf("no_channel_available", "status 401: invalid_api_key", {
  isOperatorFault: true,
});

test("counts of several processes add up, and a failure before any hold counts", async () => {
  const processes = ["a", "b", "c", "d"].map((nodeId) => recorder(nodeId));
  const channel = { id: channelId } as never;
  for (let round = 0; round < 5; round++) {
    for (const each of processes) {
      for (let call = 0; call < 25; call++) each.note(channel, null, 100);
      each.note(channel, null, 2000);
      each.note(channel, broken, 5);
      each.note(channel, failureOf("content_rejected", "status 400: sensitive"), 5);
    }
    await Promise.all(processes.map((each) => each.flush()));
  }
  const health = await healthOf();
  expect(health?.last15Minutes).toEqual({ succeeded: 520, failed: 20, refused: 20 });
  expect(health?.last24Hours).toEqual({ succeeded: 520, failed: 20, refused: 20 });
  expect(health?.latencyMedianMs).toBeGreaterThan(85);
  expect(health?.latencyMedianMs).toBeLessThan(115);
  expect(health?.lastError).toEqual({
    text: "no_channel_available: status 401: invalid_api_key",
    at: expect.any(Date),
  });
});

test("running calls and cooldowns are summed over all processes, and a silent process is dropped", async () => {
  const channel = { id: channelId } as never;
  const one = recorder("one");
  const other = recorder("other", () => 60_000);
  for (const each of [one, other, other]) each.begin(channel);
  await Promise.all([one.flush(), other.flush()]);
  expect(await healthOf()).toMatchObject({ inFlight: 3, cooldownUntil: expect.any(Date) });
  other.end(channel);
  await other.flush();
  expect(await healthOf()).toMatchObject({ inFlight: 2 });
  await pool.query(
    "update channel_process set noted_at = now() - interval '31 seconds' where node_id = 'other'",
  );
  expect(await healthOf()).toMatchObject({ inFlight: 1, cooldownUntil: null });
  await one.close();
  expect(await healthOf()).toMatchObject({ inFlight: 0 });
});

test("attempts are summed by the half hour, the present one last", async () => {
  const one = recorder("one");
  const channel = { id: channelId } as never;
  one.note(channel, null, 10);
  one.note(channel, broken, 10);
  await one.flush();
  await owner.query(
    `insert into channel_minute (channel_id, minute, succeeded, failed, latencies)
     select $1, now() - interval '1 minute' * age, 7, 1, array_fill(0, array[50]) from unnest(array[100, 101, 1430, 1450]) age`,
    [channelId],
  );
  const found = (await readHealthSlots(pool)).filter((one) => one.channelId === channelId);
  expect(found).toHaveLength(1);
  expect(found[0]?.slots).toEqual([
    { slot: 0, succeeded: 7, failed: 1 },
    { slot: 44, succeeded: 14, failed: 2 },
    { slot: 47, succeeded: 1, failed: 1 },
  ]);
});

test("counts that could not be written are kept for the next time", async () => {
  const one = recorder("one");
  const channel = { id: channelId } as never;
  one.note(channel, null, 10);
  await owner.query("alter table channel_minute rename to away");
  await expect(one.flush()).rejects.toThrow();
  one.note(channel, broken, 10);
  await owner.query("alter table away rename to channel_minute");
  await one.flush();
  expect((await healthOf())?.last15Minutes).toEqual({ succeeded: 1, failed: 1, refused: 0 });
});

test("a percentile of the steps is within an eighth of the true one", () => {
  const counts = new Array<number>(LATENCY_STEPS).fill(0);
  const add = (ms: number) => {
    counts[latencyStep(ms)] = (counts[latencyStep(ms)] ?? 0) + 1;
  };
  for (let ms = 1; ms <= 1000; ms++) add(ms * 10);
  for (const [share, truth] of [
    [0.5, 5000],
    [0.95, 9500],
  ] as const) {
    expect(Math.abs((latencyAt(counts, share) ?? 0) - truth) / truth).toBeLessThan(0.125);
  }
  expect(latencyAt([], 0.5)).toBeNull();
  add(3_600_000);
  expect(counts[LATENCY_STEPS - 1]).toBe(1);
});

async function watched(
  upstream: TestUpstream,
): Promise<{ providers: Providers; recorder: HealthRecorder }> {
  const plain = createProviders();
  endings.push(async () => {
    await plain.close();
    await upstream.close();
  });
  const own = recorder("watcher");
  return { providers: meterProviders(plain, own), recorder: own };
}

test("a stream is one attempt until its end, and complete answers are counted apart from broken ones", async () => {
  let release = () => {};
  const upstream = await startUpstream((response, _, count) => {
    if (count === 2)
      return sendJson(response, JSON.stringify({ error: { code: "invalid_api_key" } }), 401);
    if (count === 3) return sendJson(response, completion("hello", { usage: usageOf(1, 1) }));
    response.writeHead(200, streamType).write(chunk({ role: "assistant", content: "a" }));
    release = () =>
      response.end(`${chunk({}, {}, "stop")}${usageChunk(usageOf(1, 1))}data: [DONE]\n\n`);
  });
  const { providers, recorder } = await watched(upstream);
  const channel = upstream.channel({ id: channelId });
  await new Promise<void>((resolve) => {
    providers.chat.stream(channel, "{}", {
      async onChunk() {
        await recorder.flush();
        if ((await healthOf())?.inFlight === 1) release();
      },
      onBatchEnd() {},
      onStall() {},
      onCut() {},
      onEnd: () => resolve(),
    });
  });
  await providers.chat.complete(channel, "{}");
  await providers.chat.complete(channel, "{}");
  await recorder.flush();
  expect(await healthOf()).toMatchObject({
    inFlight: 0,
    last15Minutes: { succeeded: 2, failed: 1, refused: 0 },
  });
  expect(
    (await database.channel.findUniqueOrThrow({ where: { id: channelId } })).firstUsedAt,
  ).not.toBeNull();
});

test("a credential that rests alone is named, and the channel does not rest", async () => {
  const key = `${channelId}/spent`;
  const own = createHealthRecorder({
    pool,
    nodeId: "a",
    cooldownOf: (id) => (id === key ? 60_000 : 0),
    onProblem: () => {},
  });
  endings.push(() => own.close());
  own.begin({ id: channelId, credential: { name: "spent", weight: 1 } } as never);
  await own.flush();
  const until = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(await healthOf()).toMatchObject({
    inFlight: 1,
    cooldownUntil: null,
    coolingDown: [{ name: "spent", until }],
  });
});

test("the share of cached input is of the answers that count it", async () => {
  const own = recorder("a");
  const channel = { id: channelId } as never;
  await own.flush();
  expect((await healthOf())?.cachedShare).toBeNull();
  own.count(channel, 1000, 0);
  own.count(channel, 3000, 3000);
  await own.flush();
  own.count(channel, 4000, 1000);
  await own.flush();
  expect((await healthOf())?.cachedShare).toBe(0.5);
});
