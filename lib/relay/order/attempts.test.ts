/** What operators learn of the calls to upstreams that the row of a request does not tell of. */
import { afterEach, expect, test } from "vitest";
import { connect } from "@/testing/ledger/test-ledger";
import { openTestRelay } from "@/testing/relay/test-relay";
import { opened } from "@/testing/unit/opened";
import { chunk, saying, sendJson, startUpstream, usageOf } from "@/testing/upstream/test-upstream";
import { createAttemptRecorder } from "../../channels/attempt-recorder";
import { newOperationId } from "../../crypto/ids";
import { attemptsOf, lastFailures } from "../../queries/attempts";
import type { Channel } from "../../upstream/provider";
import { createVideoWorker } from "../video/video-worker";

const ok = saying("OK", usageOf(7, 1));
/** Answers in place of the usual one, one request each. */
let scripts: Parameters<typeof startUpstream>[0][] = [];

const upstream = await opened(startUpstream((...call) => (scripts.shift() ?? ok)(...call)));
const relay = await opened(
  openTestRelay({
    channels: [],
    points: "1000",
    noteAttempt: (attempt) => attempts.note(attempt),
  }),
);
const attempts = await opened(createAttemptRecorder(relay.pool, () => {}));
afterEach(() => {
  scripts = [];
});

const refusing =
  (status: number, body: string): Parameters<typeof startUpstream>[0] =>
  (response) =>
    sendJson(response, body, status);
const busy = (message: string) => refusing(503, JSON.stringify({ error: { message } }));

/** The attempts of the newest request. */
async function attemptsNow() {
  await attempts.flush();
  const { rows } = await relay.pool.query<{ id: string }>(
    "select id from request_known order by id desc limit 1",
  );
  return attemptsOf(relay.pool, rows[0]?.id ?? "");
}

let pairs = 0;
/** The second is asked after the first. A channel that failed in one test rests in no other. */
function two(overrides: Partial<Channel> = {}): Channel[] {
  pairs++;
  return [
    upstream.channel({ id: `ch_first_${pairs}`, priority: 2, ...overrides }),
    upstream.channel({ id: `ch_second_${pairs}`, priority: 1, ...overrides }),
  ];
}

test("a failed attempt before the answer is kept with its channel, status and the upstream's words", async () => {
  relay.setting.channels = two({ apiKey: "secret-of-the-channel" });
  scripts = [
    busy("The key secret-of-the-channel has no capacity.\n Try sk-live-1234567890 later."),
  ];
  expect((await relay.chat()).status).toBe(200);
  expect(await attemptsNow()).toMatchObject([
    {
      channelId: relay.setting.channels[0]?.id,
      credential: null,
      code: "upstream_failed",
      status: 503,
      said: "The key … has no capacity. Try … later.",
      internal: "status 503: no code",
    },
  ]);
});

test("a page of a proxy is told by its text, in one line of at most 500 characters", async () => {
  relay.setting.channels = two();
  const page = `<html><head><title>502 Bad Gateway</title></head>\n<body>${"nginx ".repeat(400)}</body></html>`;
  scripts = [refusing(503, page)];
  expect((await relay.chat()).status).toBe(200);
  const [attempt] = await attemptsNow();
  expect(attempt?.said).toMatch(/^502 Bad Gateway nginx nginx/);
  expect(attempt?.said?.length).toBeLessThanOrEqual(500);
});

test("words that are cut within a character are kept, with the other attempts of their batch", async () => {
  relay.setting.channels = two();
  scripts = [busy(`${"a".repeat(499)}😀`), busy("after it")];
  await relay.chat();
  const found = await attemptsNow();
  expect(found.map(({ said }) => said)).toEqual(["a".repeat(499), "after it"]);
});

test("each attempt of a request that failed everywhere is kept, and the log finds the last one", async () => {
  relay.setting.channels = two();
  scripts = [busy("first"), busy("second")];
  const answer = await relay.chat();
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(answer.text).not.toContain("second");
  const found = await attemptsNow();
  expect(found.map(({ channelId, said }) => [channelId, said])).toEqual([
    [relay.setting.channels[0]?.id, "first"],
    [relay.setting.channels[1]?.id, "second"],
  ]);
  const { rows } = await relay.pool.query<{ id: string }>(
    "select operation_id as id from upstream_attempt order by id desc limit 1",
  );
  const id = rows[0]?.id ?? "";
  expect((await lastFailures(relay.pool, [id])).get(id)).toMatchObject({ said: "second" });
});

test("an answer that needed no second call, at a channel with one credential, writes no row", async () => {
  relay.setting.channels = two();
  expect((await relay.chat()).status).toBe(200);
  expect(await attemptsNow()).toEqual([]);
});

test("of several credentials the one that answered is known", async () => {
  const channel = upstream.channel({ id: "ch_many" });
  const choices = [{ ...channel, apiKey: "k", credential: { name: "main", weight: 1 } }];
  relay.setting.channels = [{ ...channel, choices }];
  expect((await relay.chat()).status).toBe(200);
  expect(await attemptsNow()).toMatchObject([{ credential: "main", code: null }]);
});

test("a refusal that is answered by a plainer form is an attempt", async () => {
  relay.setting.channels = [upstream.channel({ id: "ch_plain" })];
  const message = "Unsupported value: 'messages[0].role' does not support 'developer'";
  const refused = { error: { message, type: "invalid_request_error", param: "messages[0].role" } };
  scripts = [refusing(400, JSON.stringify(refused))];
  const messages = [
    { role: "developer", content: "be brief" },
    { role: "user", content: "hello" },
  ];
  expect((await relay.chat({ messages })).status).toBe(200);
  expect(await attemptsNow()).toMatchObject([{ status: 400, said: message }]);
});

test("a stream that its upstream broke off is told with its words", async () => {
  relay.setting.channels = [upstream.channel({ id: "ch_cut" })];
  scripts = [
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ content: "half" }));
      response.end(`data: ${JSON.stringify({ error: { message: "the GPU fell over" } })}\n\n`);
    },
  ];
  await relay.chat({ stream: true });
  await relay.ends();
  expect(await attemptsNow()).toMatchObject([{ said: "the GPU fell over", upstreamRef: "up-1" }]);
});

test("images and videos have theirs, and a failed task has the upstream's reason", async () => {
  relay.setting.channels = two({ protocol: "ark" });
  scripts = [busy("no image now"), busy("nor here")];
  const image = { model: "super-relay-img", prompt: "a cat" };
  await relay.send("/v1/images/generations", { body: JSON.stringify(image) });
  expect(await attemptsNow()).toMatchObject([{ said: "no image now" }, { said: "nor here" }]);
  const error = { code: "InternalServiceError", message: "the frame could not be drawn" };
  const failed = { id: "cgt-1", status: "failed", error };
  relay.setting.channels = two({ protocol: "ark" });
  scripts = [
    busy("no video now"),
    (response) => sendJson(response, '{"id":"cgt-1"}'),
    (response) => sendJson(response, JSON.stringify(failed)),
  ];
  const task = { model: "super-relay-2", content: [{ type: "text", text: "a cat" }] };
  await relay.send("/v1/contents/generations/tasks", { body: JSON.stringify(task) });
  const channelById = (id: string) => relay.setting.channels.find((each) => each.id === id);
  const worker = createVideoWorker(relay.videoDeps({ channelById }));
  worker.start();
  await expect.poll(async () => (await attemptsNow()).length, { timeout: 20_000 }).toBe(2);
  await worker.stop(2000);
  expect(await attemptsNow()).toMatchObject([
    { said: "no video now", channelId: relay.setting.channels[0]?.id },
    { said: error.message, channelId: relay.setting.channels[1]?.id, upstreamRef: "cgt-1" },
  ]);
});

test("a row that the database refuses is dropped, and those beside it are written", async () => {
  const dropped: string[] = [];
  const own = createAttemptRecorder(
    relay.pool,
    () => {},
    (id) => dropped.push(id),
  );
  const operationId = newOperationId();
  const channel = upstream.channel({ id: "ch_odd" });
  for (const upstreamRef of ["a", "b", "x".repeat(200), "c", "d"])
    own.note({ operationId, channel, model: "RelayV1", failure: null, upstreamRef, tookMs: 1 });
  await own.flush();
  const refs = (await attemptsOf(relay.pool, operationId)).map(({ upstreamRef: ref }) => ref);
  expect(refs).toEqual(["a", "b", "c", "d"]);
  expect(dropped).toHaveLength(1);
  await own.close();
});

test("while the database is away attempts wait, and are written once", async () => {
  relay.setting.channels = two();
  scripts = [busy("meanwhile")];
  const owner = await connect(relay.seeded.url);
  await owner.query("alter table upstream_attempt rename to away");
  expect((await relay.chat()).status).toBe(200);
  await expect(attempts.flush()).rejects.toThrow();
  await owner.query("alter table away rename to upstream_attempt");
  await owner.end();
  expect(await attemptsNow()).toMatchObject([{ said: "meanwhile" }]);
  expect(await attemptsNow()).toHaveLength(1);
});
