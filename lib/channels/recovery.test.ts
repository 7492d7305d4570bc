/** Tests that what rests is tested once for all processes, by as little as possible, and comes back. */
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { opened } from "@/testing/unit/opened";
import { saying, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import type { ChannelEvent } from "../cluster/channel-news";
import { openPool } from "../db/pool";
import { createChannelLimiter } from "../limits/channel-limiter";
import { type Chooser, createChooser } from "../upstream/choose";
import { failureOf, ourFault } from "../upstream/failure";
import type { Channel } from "../upstream/provider";
import { createProviders } from "../upstream/wiring/create-providers";
import { testDue } from "./recovery";

const down = failureOf("upstream_failed", "status 503", { isSurelyFree: true });
const pool = await opened(openPool(await createTestDatabase()));
const providers = await opened(createProviders());
const upstream = await opened(
  startUpstream((response, request, count) => {
    const status = failing[request.path];
    if (status !== undefined) return sendJson(response, '{"error":{"code":"x"}}', status);
    if (request.path === "/v1/models") return sendJson(response, '{"data":[]}');
    if (refused !== "") return sendJson(response, refused, 400);
    return ok(response, request, count);
  }),
);
/** The status of each path while it fails. */
let failing: Record<string, number> = {};
/** The body of a refusal of each order; "": it is answered. */
let refused = "";
let channel: Channel;
let time = 0;
let processes: { chooser: Chooser; look(): Promise<void> }[];

const ok = saying("OK", usageOf(7, 1));

beforeAll(async () => {
  // An operator, with an account of his own.
  await pool.query("insert into account (id) values ('acct_op')");
  await pool.query(
    `insert into "user" (id, account_id, email, is_operator) values ('u_op', 'acct_op', 'op@example.com', true)`,
  );
});

/** Two processes, which hear from each other. */
beforeEach(async () => {
  failing = {};
  refused = "";
  upstream.seen.length = 0;
  channel = upstream.channel();
  await pool.query(
    `insert into channel (id, name, protocol, base_url, models) values ($1, $1, 'openai', 'http://x', '{}')`,
    [channel.id],
  );
  const crew: Chooser[] = [0, 1].map((place) =>
    createChooser({
      channelsFor: () => [channel],
      limiter: createChannelLimiter(),
      clock: () => time,
      tell: (event: ChannelEvent) => crew[1 - place]?.hear(event),
    }),
  );
  processes = crew.map((chooser) => {
    const seenAt = new Map<string, number>();
    const deps = { pool, chooser, providers, byId: () => channel, seconds: () => 60 };
    return { chooser, look: () => testDue(deps, seenAt, time) };
  });
});

const lookAll = () => Promise.all(processes.map(({ look }) => look()));
const cooldownOf = (key = channel.id) => processes.map(({ chooser }) => chooser.cooldownOf(key));
const asked = () => upstream.seen.map(({ method, path }) => `${method} ${path}`);
const again = () =>
  pool.query("update channel_watch set tested_at = now() - interval '61 seconds'");
const downSince = async () =>
  (await pool.query("select down_since from channel_watch where channel_id = $1", [channel.id]))
    .rows[0]?.down_since;

const told = async () => {
  const { rows } = await pool.query(
    "select kind || ' ' || coalesce(data ->> 'credential', 'null') || ' ' || coalesce(data ->> 'error', 'null') as text from notification where data ->> 'channel' = $1 order by created_at, kind desc",
    [channel.id],
  );
  return rows.map(({ text }) => text);
};

test("before a cooldown ends one process tests by a list and one token, and the channel is back everywhere", async () => {
  processes[0]?.chooser.report(channel, down);
  await lookAll();
  expect(asked()).toEqual([]);
  time += 8000;
  await lookAll();
  expect(asked()).toEqual(["GET /v1/models", "POST /v1/chat/completions"]);
  expect(upstream.seen[1]?.body).toMatchObject({ max_tokens: 1, model: "upstream-name" });
  expect(cooldownOf()).toEqual([0, 0]);
  expect(await downSince()).toBeNull();
});

test.each([
  "Unsupported parameter: 'max_tokens' is not supported with this model.",
  "max_tokens must be at least 1, got -5.",
  "This model's maximum prompt length is 1 but the request contains 5 tokens.",
  "Content Exists Risk",
])("an upstream that refuses the test itself is there: %s", async (message) => {
  processes[0]?.chooser.report(channel, down);
  refused = JSON.stringify({ error: { message } });
  time += 8000;
  await lookAll();
  expect(asked()).toHaveLength(2);
  expect(cooldownOf()).toEqual([0, 0]);
});

test("while the test fails the channel is in cooldown on, and is tested again after the interval", async () => {
  processes[0]?.chooser.report(channel, down);
  failing = { "/v1/models": 503 };
  time += 8000;
  await lookAll();
  expect([asked(), cooldownOf()]).toEqual([["GET /v1/models"], [300_000, 300_000]]);
  expect(await downSince()).toBeInstanceOf(Date);
  await lookAll();
  time += 60_000;
  await lookAll();
  expect(asked()).toHaveLength(1);
  await again();
  failing = {};
  await lookAll();
  expect([asked().length, cooldownOf()]).toEqual([3, [0, 0]]);
  expect(await downSince()).toBeNull();
  expect(await told()).toEqual(["channel_down null status 503: x", "channel_back null null"]);
});

test.each([
  [404, 400],
  [405, 422],
])(
  "a server without a list (%d) that refuses so short an answer (%d) works",
  async (list, chat) => {
    failing = { "/v1/models": list, "/v1/chat/completions": chat };
    processes[1]?.chooser.report(channel, down);
    time += 8000;
    await lookAll();
    expect(cooldownOf()).toEqual([0, 0]);
  },
);

test("a list that comes does not mean that text does", async () => {
  failing = { "/v1/chat/completions": 500 };
  processes[1]?.chooser.report(channel, down);
  time += 8000;
  await lookAll();
  expect(cooldownOf()).toEqual([300_000, 300_000]);
});

test("a channel of images is tested without an order", async () => {
  channel = { ...channel, models: { "super-relay-img": "theirs" } };
  processes[0]?.chooser.report(channel, down);
  time += 8000;
  await lookAll();
  expect([asked(), cooldownOf()]).toEqual([["GET /v1/models"], [0, 0]]);
});

test("a credential that rests alone is tested with its key, and the channel goes on meanwhile", async () => {
  const choices = ["main", "spent"].map((name) => ({
    ...channel,
    apiKey: `key-${name}`,
    credential: { name, weight: 1 },
  }));
  channel = { ...channel, choices };
  const refused = { ...ourFault("status 401"), credentialFault: "refused" as const };
  processes[0]?.chooser.report(choices[1] as Channel, refused);
  const key = `${channel.id}/spent`;
  failing = { "/v1/models": 401 };
  time += 8000;
  await lookAll();
  expect([cooldownOf(key), cooldownOf()]).toEqual([
    [300_000, 300_000],
    [0, 0],
  ]);
  expect(upstream.seen[0]?.headers.authorization).toBe("Bearer key-spent");
  failing = {};
  time += 60_000;
  await again();
  await lookAll();
  expect(cooldownOf(key)).toEqual([0, 0]);
  expect(await told()).toEqual([
    "credential_refused spent status 401: x",
    "channel_back spent null",
  ]);
});

test("with an interval of 0 nothing is tested, and no request is made for a channel that works", async () => {
  await lookAll();
  const [first] = processes;
  first?.chooser.report(channel, down);
  time += 9000;
  const deps = { pool, providers, byId: () => channel, seconds: () => 0 };
  await testDue({ ...deps, chooser: first?.chooser as Chooser }, new Map(), time);
  expect(asked()).toEqual([]);
});
