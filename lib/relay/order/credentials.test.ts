/** A channel with several credentials: which request goes with which, and what a failure of one does. */
import { afterEach, expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { saying, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import type { Channel } from "../../upstream/provider";
import { createVideoWorker } from "../video/video-worker";

const ok = saying("OK", usageOf(7, 1));
/** What the upstream answers to a key; undefined for an answer. */
let refusals: Record<string, readonly [status: number, code: string] | undefined> = {};

const keyOf = (headers: { authorization?: string | undefined }) =>
  headers.authorization?.replace("Bearer ", "") ?? "";
const used = () => upstream.seen.map(({ headers }) => keyOf(headers));

const upstream = await opened(
  startUpstream((response, request, count) => {
    const refusal = refusals[keyOf(request.headers)];
    if (refusal === undefined) return ok(response, request, count);
    sendJson(response, JSON.stringify({ error: { code: refusal[1] } }), refusal[0]);
  }),
);
const relay = await opened(openTestRelay({ channels: [], points: "1000" }));
afterEach(() => {
  refusals = {};
  upstream.seen.length = 0;
});

function channelWith(
  weights: Readonly<Record<string, number>>,
  overrides: Partial<Channel> = {},
): Channel {
  const channel = upstream.channel(overrides);
  const choices = Object.entries(weights).map(([name, weight]) => ({
    ...channel,
    apiKey: `key-${name}`,
    credential: { name, weight },
  }));
  return { ...channel, choices };
}

async function chats(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let made = 0; made < count; made++) {
    const messages = [{ role: "user", content: crypto.randomUUID() }];
    statuses.push((await relay.chat({ messages })).status);
  }
  return statuses;
}

test("conversations are divided among the credentials by their weights", async () => {
  relay.setting.channels = [channelWith({ main: 1, heavy: 3 })];
  await chats(80);
  const heavy = used().filter((key) => key === "key-heavy").length;
  expect(heavy).toBeGreaterThan(40);
  expect(heavy).toBeLessThan(80);
});

test.each([
  [401, "invalid_api_key"],
  [403, "forbidden"],
  [402, "payment_required"],
  [429, "insufficient_quota"],
  [429, "rate_limit_exceeded"],
])(
  "a credential that gets %d %s rests alone: the request goes on with another, and so do the next",
  async (status, code) => {
    // That the first goes with "main" by chance is one in a billion.
    relay.setting.channels = [channelWith({ main: 1, spent: 1e9 })];
    refusals = { "key-spent": [status, code] };
    const before = await relay.balance();
    expect(await chats(1)).toEqual([200]);
    expect(used()).toEqual(["key-spent", "key-main"]);
    expect((await relay.balance()).available).toBeLessThan(before.available);
    expect(await chats(4)).toEqual([200, 200, 200, 200]);
    expect(used().slice(2)).toEqual(Array(4).fill("key-main"));
    const line = relay.logged.find((each) => each.includes(`status ${status}: ${code}`));
    expect(line).toContain('"credential":"spent"');
    expect(line).not.toContain("key-spent");
  },
);

test("what is no credential's fault is tried at another channel, not with another credential", async () => {
  const first = channelWith({ main: 1, spare: 1 }, { priority: 9 });
  relay.setting.channels = [first, upstream.channel({ apiKey: "key-other" })];
  refusals = { "key-main": [503, "down"], "key-spare": [503, "down"] };
  expect(await chats(2)).toEqual([200, 200]);
  expect(used()).toEqual([expect.stringMatching(/main|spare/), "key-other", "key-other"]);
});

test("where every credential rests the whole channel does, and a request that nobody else serves still tries it", async () => {
  const first = channelWith({ main: 1, spare: 1 }, { priority: 9 });
  const other = upstream.channel({ apiKey: "key-other" });
  relay.setting.channels = [first, other];
  refusals = { "key-main": [401, "invalid"], "key-spare": [401, "invalid"] };
  expect(await chats(2)).toEqual([200, 200]);
  expect(used().sort()).toEqual(["key-main", "key-other", "key-other", "key-spare"]);
  upstream.seen.length = 0;
  relay.setting.channels = [first];
  refusals = {};
  expect(await chats(1)).toEqual([200]);
  relay.setting.channels = [first, other];
  upstream.seen.length = 0;
  expect(await chats(1)).toEqual([200]);
  expect(used()).toEqual([expect.stringMatching(/main|spare/)]);
});

test("a video is polled with the credential with which it was ordered", async () => {
  const asked: string[] = [];
  const ark = await startUpstream((response, { method, headers }) => {
    asked.push(`${method} ${keyOf(headers)}`);
    if (method === "POST") return sendJson(response, '{"id":"cgt-up"}');
    const content = { video_url: "http://results.test/v.mp4" };
    const usage = { completion_tokens: 9, total_tokens: 9 };
    sendJson(response, JSON.stringify({ id: "cgt-up", status: "succeeded", content, usage }));
  });
  const models = { "super-relay-2": "theirs" };
  const base = ark.channel({ protocol: "ark", models });
  const choices = ["main", "second"].map((name, place) => ({
    ...base,
    apiKey: `key-${name}`,
    credential: { name, weight: 1 + 999_999 * place },
  }));
  const own = await openTestRelay({
    channels: [{ ...base, apiKey: "key-main", choices }],
    points: "100000",
  });
  const worker = createVideoWorker(own.video, { parallelMax: 9, claimMax: 9, idleMs: 10 });
  worker.start();
  const body = JSON.stringify({ model: "super-relay-2", prompt: "a cat" });
  const { status } = await own.send("/v1/videos/generations", { body });
  expect([status, new Set(asked)]).toEqual([200, new Set(["POST key-second", "GET key-second"])]);
  await worker.stop(1000);
  await own.close();
  await ark.close();
});
