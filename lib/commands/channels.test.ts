import type pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  seedAccount,
  settleOf,
  taskOf,
} from "@/testing/ledger/test-ledger";
import { completion, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { findChannel, listChannels } from "../channels/stored-channels";
import { fixedSecrets } from "../crypto/secrets";
import { connectDatabase, type Database } from "../db/client";
import { openPool } from "../db/pool";
import { createProviders } from "../upstream/wiring/create-providers";
import { changeChannel, createChannel, type NewChannel, setChannelState } from "./channels";
import { removeChannel } from "./remove-channel";
import { testChannel } from "./test-channel";

const secret = "a secret of at least thirty-two characters";
const secrets = fixedSecrets(secret);
const fresh: NewChannel = {
  name: "main",
  protocol: "ark",
  baseUrl: "https://api.example.com/v3",
  apiKey: "upstream-canary-1",
  models: { "Super-Relay": "their-video", RelayV1: "their-text" },
};

let url: string;
let pool: pg.Pool;
let database: Database;
const endings: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  url = await createTestDatabase();
  pool = openPool(url, 4);
  database = connectDatabase(url, 3);
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
  await database.$disconnect();
  await pool.end();
});

const actions = () => database.operatorAction.findMany({ orderBy: { id: "asc" } });

/** Opens a video task that this channel's upstream has. */
async function openTask(channelId: string): Promise<{ end(): Promise<void> }> {
  const ledger = await openTestLedger(url);
  const client = await connect(url);
  endings.push(async () => Promise.all([ledger.close(), client.end()]));
  const account = await seedAccount(client, ledger, 10_000_000n);
  const hold = holdOf(account, 2_000_000n, { family: "video" });
  const task = taskOf();
  await ledger.openTask(hold, task);
  await pool.query("update video_task set channel_id = $1 where id = $2", [channelId, task.taskId]);
  return {
    end: async () => {
      await ledger.settleTask(settleOf(hold, 1n), {
        mediaId: "media_1",
        outputTokens: 3,
        facts: {},
      });
    },
  };
}

test("a change affects only the given fields, and is recorded with both values and without the credential", async () => {
  const { id } = await createChannel({ database, secrets }, "user_1", fresh);
  const changed = await changeChannel({ database, secrets }, "user_1", {
    id,
    weight: 5,
    timeoutSeconds: 30,
    models: { "relay-v1": "other" },
  });
  expect(changed).toMatchObject({
    name: "main",
    weight: 5,
    timeoutSeconds: 30,
    models: { RelayV1: "other" },
    requestsPerMinute: 600,
  });
  const before = await database.channel.findUniqueOrThrow({ where: { id } });
  const replaced = await changeChannel({ database, secrets }, "user_1", {
    id,
    apiKey: "upstream-canary-2",
    timeoutSeconds: null,
  });
  expect(replaced.timeoutSeconds).toBeNull();
  const after = await database.channel.findUniqueOrThrow({ where: { id } });
  expect(after.credential).not.toEqual(before.credential);
  expect(after.credentialSetAt?.getTime()).toBeGreaterThan(before.credentialSetAt?.getTime() ?? 0);
  const written = await actions();
  expect(written.map(({ action }) => action)).toEqual([
    "channel.create",
    "channel.change",
    "channel.change",
  ]);
  expect(written[1]).toMatchObject({
    actor: "user_1",
    subject: id,
    detail: { before: { weight: 1 }, after: { weight: 5 } },
  });
  expect(
    JSON.stringify([written.map(({ detail }) => detail), replaced, await listChannels(database)]),
  ).not.toContain("canary");
});

test("a credential is never sent to another host, and open tasks keep their channel's host", async () => {
  const { id } = await createChannel({ database, secrets }, "cli", fresh);
  const move = (baseUrl: string, apiKey?: string) =>
    changeChannel({ database, secrets }, "cli", { id, baseUrl, apiKey });
  await expect(move("https://elsewhere.example.com/v3")).rejects.toMatchObject({
    code: "invalid_value",
    param: "api_key",
  });
  await move("https://api.example.com/v4");
  await move("https://elsewhere.example.com/v3", "another-key");
  const task = await openTask(id);
  await expect(move("https://api.example.com/v3", "a-third-key")).rejects.toMatchObject({
    code: "invalid_value",
    param: "base_url",
  });
  await task.end();
  await move("https://api.example.com/v3", "a-third-key");
});

test("an unused channel is deleted, a used one is archived without its credential, and a working one is refused", async () => {
  const unused = await createChannel({ database, secrets }, "cli", { ...fresh, name: "unused" });
  const used = await createChannel({ database, secrets }, "cli", fresh);
  await expect(removeChannel({ database }, "cli", { id: used.id })).rejects.toMatchObject({
    code: "invalid_value",
  });
  const task = await openTask(used.id);
  expect(
    await setChannelState({ database }, "cli", { id: used.id, state: "draining" }),
  ).toMatchObject({
    state: "draining",
    drainingSince: expect.any(Date),
  });
  await expect(removeChannel({ database }, "cli", { id: used.id })).rejects.toMatchObject({
    message: expect.stringContaining("1 open video tasks"),
  });
  await task.end();
  await setChannelState({ database }, "cli", { id: unused.id, state: "disabled" });
  expect(await removeChannel({ database }, "cli", { id: unused.id })).toBe("deleted");
  expect(await removeChannel({ database }, "cli", { id: used.id })).toBe("archived");
  expect(await database.channel.findMany()).toMatchObject([
    { id: used.id, credential: null, archivedAt: expect.any(Date) },
  ]);
  for (const gone of [used.id, unused.id])
    await expect(findChannel(database, gone)).rejects.toMatchObject({ code: "not_found" });
  await createChannel({ database, secrets }, "cli", fresh);
  expect((await actions()).map(({ action }) => action).slice(2)).toEqual([
    "channel.drain",
    "channel.disable",
    "channel.delete",
    "channel.archive",
    "channel.create",
  ]);
});

test("a channel that only the sums of days name was used, and is archived", async () => {
  const { id } = await createChannel({ database, secrets }, "cli", { ...fresh, name: "of old" });
  const owner = await connect(url);
  await owner.query(
    `insert into usage_total_day (day, model, channel_id, settled, released, input_tokens, output_tokens, amount, latency, first_token)
       values ('2024-01-01', 'RelayV1', $1, 1, 0, 1, 1, 1, '{}', '{}')`,
    [id],
  );
  await owner.end();
  await setChannelState({ database }, "cli", { id, state: "disabled" });
  expect(await removeChannel({ database }, "cli", { id })).toBe("archived");
});

test("of two concurrent removals of one channel, or uses of one name, one succeeds", async () => {
  const { id } = await createChannel({ database, secrets }, "cli", fresh);
  await setChannelState({ database }, "cli", { id, state: "disabled" });
  const removed = await Promise.allSettled(
    [1, 2, 3].map(() => removeChannel({ database }, "cli", { id })),
  );
  expect(removed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const made = await Promise.allSettled(
    [1, 2, 3].map(() => createChannel({ database, secrets }, "cli", { ...fresh, name: "twin" })),
  );
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const each of made)
    if (each.status === "rejected")
      expect(each.reason).toMatchObject({ code: "already_exists", param: "name" });
});

test("a test asks the upstream for real text, orders no video unless told to, reports what failed, and charges nothing", async () => {
  const upstream = await startUpstream((response, { method, path, headers }) => {
    if (headers.authorization !== "Bearer good")
      return sendJson(response, JSON.stringify({ error: { code: "AuthenticationError" } }), 401);
    if (path.endsWith("/chat/completions"))
      return sendJson(response, completion("OK", { usage: usageOf(7, 1) }));
    if (method === "POST") return sendJson(response, JSON.stringify({ id: "cgt-1" }));
    if (method === "DELETE") return sendJson(response, "{}");
    sendJson(response, JSON.stringify({ error: { code: "NotFound", message: "no task" } }), 404);
  });
  const providers = createProviders();
  endings.push(async () => Promise.all([providers.close(), upstream.close()]));
  const { id } = await createChannel({ database, secrets }, "cli", {
    ...fresh,
    baseUrl: `${upstream.url}/v3`,
    apiKey: "good",
  });
  const attempt = (model: string, isReal = false) =>
    testChannel({ pool, secrets, providers }, "user_1", { id, model, isReal });
  expect(await attempt("relay-v1")).toMatchObject({
    stage: "answered",
    failure: null,
    upstreamModel: "their-text",
    usage: { inputTokens: 7, outputTokens: 1 },
  });
  expect(upstream.seen[0]?.body).toMatchObject({ model: "their-text", max_tokens: 16 });
  expect(await attempt("Super-Relay")).toMatchObject({ stage: "reached", failure: null });
  expect(
    upstream.seen.some(({ method, path }) => method === "POST" && path.includes("tasks")),
  ).toBe(false);
  expect(await attempt("Super-Relay", true)).toMatchObject({
    stage: "accepted",
    failure: null,
    cancelled: "unknown",
  });
  await expect(attempt("RelayImageV1")).rejects.toMatchObject({
    code: "invalid_value",
    param: "model",
  });
  await changeChannel({ database, secrets }, "cli", { id, apiKey: "bad" });
  for (const model of ["RelayV1", "Super-Relay"]) {
    expect((await attempt(model)).failure).toMatchObject({
      code: "no_channel_available",
      isOperatorFault: true,
    });
  }
  const counts = await pool.query(
    "select (select count(*) from open_request)::int + (select count(*) from request)::int + (select count(*) from ledger_entry)::int as n",
  );
  expect(counts.rows).toEqual([{ n: 0 }]);
  expect((await actions()).at(-1)).toMatchObject({
    action: "channel.test",
    actor: "user_1",
    detail: { failure: { code: "no_channel_available" } },
  });
});
