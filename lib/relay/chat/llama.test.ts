/**
 * Tests a channel to llama-cpp-python's server from its test to the charge: its streams are billed,
 * and the cap holds. The scripted server answers as the real one, which runs where it is installed.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { llamaPython, startRealLlama } from "@/testing/upstream/real-llama";
import { startScriptedLlama } from "@/testing/upstream/scripted-llama";
import { type ChannelRow, channelOf } from "../../channels/channel-registry";
import { createChannel } from "../../commands/channels";
import { testChannel } from "../../commands/test-channel";
import { fixedSecrets } from "../../crypto/secrets";
import { connectDatabase, type Database } from "../../db/client";
import { createProviders } from "../../upstream/wiring/create-providers";

const secrets = fixedSecrets("s".repeat(32));
const servers = [
  { name: "scripted", start: startScriptedLlama },
  ...(llamaPython === undefined
    ? []
    : [{ name: "real", start: () => startRealLlama(llamaPython ?? "") }]),
];

describe.each(servers)("a $name server", ({ start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let relay: TestRelay;
  let database: Database;
  let id: string;
  const providers = createProviders();

  beforeAll(async () => {
    [server, relay] = [await start(), await openTestRelay({ channels: [] })];
    database = connectDatabase(relay.seeded.url, 2);
    ({ id } = await createChannel({ database, secrets }, "cli", {
      name: "llama",
      protocol: "openai",
      baseUrl: `${server.url}/v1`,
      apiKey: null,
      models: { RelayV1: "x" },
    }));
  }, 120_000);
  afterAll(async () => {
    await Promise.all([providers.close(), relay.close(), database.$disconnect()]);
    await server.close();
  });

  test("is found to have no usage in streams and to obey only max_tokens", async () => {
    const deps = { pool: relay.pool, secrets, providers };
    const tested = await testChannel(deps, "cli", { id, model: "RelayV1", isReal: false });
    expect(tested).toMatchObject({
      failure: null,
      isStored: true,
      profile: {
        plainUsage: true,
        streamUsage: false,
        maxTokens: true,
        maxCompletionTokens: false,
        modelList: true,
      },
    });
    const { rows } = await relay.pool.query<ChannelRow>("select * from channel");
    relay.setting.channels = rows.map((row) => channelOf(row, secrets));
  }, 90_000);

  test.each([true, false])(
    "its answers are billed, and the cap holds (stream: %s)",
    async (stream) => {
      const before = (await relay.ends()).length;
      const { status, text } = await relay.chat({
        max_completion_tokens: 24,
        stream,
        ...(stream ? { stream_options: { include_usage: true } } : {}),
      });
      expect(status, text).toBe(200);
      const usages = [...text.matchAll(/"prompt_tokens":(\d+),"completion_tokens":(\d+)/g)];
      expect(usages).toHaveLength(1);
      const [input, output] = [Number(usages[0]?.[1]), Number(usages[0]?.[2])];
      expect(output).toBeGreaterThan(0);
      // The real server sometimes counts the token after the cap.
      expect(output).toBeLessThanOrEqual(25);
      const charged = { outcome: "settled", amount: input * 80 + output * 800, losses: [] };
      const ends = (await relay.ends()).slice(before);
      expect(ends).toMatchObject([charged]);
      expect(ends[0]?.held).toBeGreaterThanOrEqual(charged.amount);
      expect(relay.alarms).toEqual([]);
    },
    60_000,
  );
});
