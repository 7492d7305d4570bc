/** Tests what a channel's test stores, and when what it found out no longer counts. */
import { beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { startScriptedLlama } from "@/testing/upstream/scripted-llama";
import { type Script, sendJson, startUpstream } from "@/testing/upstream/test-upstream";
import { createChannelRegistry } from "../channels/channel-registry";
import { resealCredentials } from "../channels/reseal";
import { findChannel } from "../channels/stored-channels";
import type { ChannelProfile } from "../contract/channel-profile";
import { fixedSecrets } from "../crypto/secrets";
import { openChanges } from "../db/changes";
import { connectDatabase } from "../db/client";
import { openPool } from "../db/pool";
import { createProviders } from "../upstream/wiring/create-providers";
import { changeChannel, createChannel } from "./channels";
import { conformChannel, testChannel } from "./test-channel";

const secrets = fixedSecrets("s".repeat(32));
let script: Script;
let id: string;

const llama = await opened(startScriptedLlama());
const upstream = await opened(startUpstream((...all) => script(...all)));
const providers = await opened(createProviders());
const url = await createTestDatabase();
const database = await opened(connectDatabase(url, 4));
const pool = await opened(openPool(url));
beforeEach(async () => {
  await pool.query("delete from channel");
  ({ id } = await createChannel({ database, secrets }, "cli", {
    name: "llama",
    protocol: "ark",
    baseUrl: `${llama.url}/v1`,
    apiKey: "key",
    models: { RelayV1: "x", "Super-Relay": "y" },
  }));
});

const attempt = () =>
  testChannel({ pool, secrets, providers }, "cli", { id, model: "RelayV1", isReal: false });
const attemptsOf = () => database.upstreamAttempt.findMany({ where: { channelId: id } });
const change = (fields: object) => changeChannel({ database, secrets }, "cli", { id, ...fields });
const stored = async () => (await findChannel(database, id)).profile;
const store = (profile: ChannelProfile | object) =>
  pool.query("update channel set profile = $1, profiled_at = now()", [JSON.stringify(profile)]);
const ofLlama = {
  plainUsage: true,
  streamUsage: false,
  maxTokens: true,
  maxCompletionTokens: false,
  modelList: true,
};

test("what was found out is stored and recorded in one transaction; before, the channel is untested", async () => {
  expect(await findChannel(database, id)).toMatchObject({
    profile: null,
    profiledAt: null,
    refusal: null,
    streams: "from_answer",
  });
  const { profile, isStored } = await attempt();
  expect([profile, isStored]).toMatchObject([ofLlama, true]);
  const channel = await findChannel(database, id);
  expect(channel.profile).toMatchObject(ofLlama);
  expect(Date.now() - (channel.profiledAt?.getTime() ?? 0)).toBeLessThan(10_000);
  const action = await database.operatorAction.findFirst({ orderBy: { seq: "desc" } });
  expect(action).toMatchObject({ action: "channel.test", detail: { profile: ofLlama } });
  const attempts = await attemptsOf();
  // Each call is known, with the upstream's id where it answered.
  expect(attempts.length).toBeGreaterThan(2);
  for (const one of attempts)
    expect(one).toMatchObject({ operationId: null, model: "RelayV1", upstreamModel: "x" });
  expect(attempts.find(({ code }) => code === null)?.upstreamRef).toBe("chatcmpl-f73f8b68");
});

test("every call of a conformance run is known, so that a bill's line for it is a test's", async () => {
  const verdicts = await conformChannel(
    { pool, secrets, providers },
    { id, model: "RelayV1", isLong: false },
  );
  const asked = verdicts.filter(({ result }) => result !== "not tried");
  const attempts = await attemptsOf();
  expect(attempts).toHaveLength(asked.length);
  expect(attempts.length).toBeGreaterThan(15);
});

test("what a later test cannot find out stays as it was; what it finds out replaces it", async () => {
  await store({ streamUsage: true, tools: false, images: true });
  await attempt();
  expect(await stored()).toMatchObject({ ...ofLlama, tools: false });
  await pool.query("update channel set base_url = $1", [`${upstream.url}/v1`]);
  script = (response) => sendJson(response, "{}", 500);
  await store({ streamUsage: false });
  expect(await attempt()).toMatchObject({ profile: null, isStored: false });
  expect(await stored()).toEqual({ streamUsage: false });
});

test.each([
  ["another address", { baseUrl: "https://other.example.com/v1", apiKey: "new" }, null],
  ["another path", { baseUrl: "https://api.example.com/v2" }, null],
  ["another key", { apiKey: "new" }, null],
  ["no key", { apiKey: null }, null],
  ["other limits and another name", { weight: 3, name: "other", streams: "none" }, ofLlama],
])("a channel with %s: its profile is %j of before", async (_, fields, expected) => {
  await change({ baseUrl: "https://api.example.com/v1", apiKey: "key" });
  await store(ofLlama);
  await change(fields);
  expect(await stored()).toEqual(expected);
  expect((await findChannel(database, id)).profiledAt === null).toBe(expected === null);
});

test("a credential that is only sealed again keeps the profile", async () => {
  await store(ofLlama);
  expect(await resealCredentials(pool, fixedSecrets("t".repeat(32), secrets.current))).toBe(1);
  expect(await stored()).toEqual(ofLlama);
});

test("a channel that is changed while it is tested does not get the result", async () => {
  const changes = [
    { apiKey: "other" },
    { baseUrl: `${upstream.url}/v2` },
    { models: { RelayV1: "z" } },
  ];
  for (const fields of changes) {
    let changed: Promise<unknown> | null = null;
    script = async (response) => {
      changed ??= change(fields);
      await changed;
      sendJson(response, '{"choices":[{"message":{"content":"OK"},"finish_reason":"stop"}]}');
    };
    await pool.query("update channel set base_url = $1", [`${upstream.url}/v1`]);
    expect(await attempt()).toMatchObject({ isStored: false, failure: null });
    expect(await stored()).toBeNull();
  }
});

test("two tests at once both answer, and one profile is stored", async () => {
  const tests = await Promise.all([attempt(), attempt()]);
  expect(tests.map(({ isStored }) => isStored)).toEqual([true, true]);
  expect(await stored()).toMatchObject(ofLlama);
  expect(
    await database.operatorAction.count({ where: { action: "channel.test", subject: id } }),
  ).toBe(2);
});

test.each([
  ["text", "a boolean of each known part", { plainUsage: "yes" }],
  ["other parts", "a boolean of each known part", { other: true }],
  ["readings of no model", "a boolean of each reading of a model", { reads: { developer: false } }],
  ["words as readings", "a boolean of each reading of a model", { reads: { a: { seed: "no" } } }],
])("the database refuses %s in a profile: it has %s", async (_, _rule, profile) => {
  await expect(store(profile)).rejects.toThrow(/channel_profile_parts/);
});

test("a channel that can be neither billed nor bounded offers no text, but its images", async () => {
  const changes = await openChanges(url);
  const registry = await createChannelRegistry({ pool, changes, secrets });
  const offered = (model: string) => registry.forModel(model).length;
  for (const [profile, refusal, text] of [
    [{ plainUsage: false, streamUsage: false }, "no_usage", 0],
    [{ plainUsage: true, streamUsage: false }, null, 1],
    [{ maxTokens: false, maxCompletionTokens: false }, "no_cap", 0],
    [{ maxTokens: false }, null, 1],
  ] as const) {
    await store(profile);
    await expect.poll(() => offered("RelayV1")).toBe(text);
    expect([offered("Super-Relay"), registry.isConfigured("text")]).toEqual([1, true]);
    expect((await findChannel(database, id)).refusal).toBe(refusal);
  }
  registry.close();
  await changes.close();
});
