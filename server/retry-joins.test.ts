/**
 * Tests that a call which timed out in a client library is charged as one video or image, and that
 * two equal calls that were both intended are charged as two.
 */
import OpenAI from "openai";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createVideoWorker, type VideoWorker } from "@/lib/relay/video/video-worker";
import { ownerUrlOf } from "@/testing/db/test-database";
import { faultsOf } from "@/testing/ledger/faults-of";
import { pngOf } from "@/testing/media/files";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import type { Listening } from "@/testing/stage/listen";
import { serveFind } from "@/testing/stage/serve-find";
import {
  type Script,
  sendJson,
  startUpstream,
  type TestUpstream,
} from "@/testing/upstream/test-upstream";
import { startVideoUpstream, type VideoUpstream } from "@/testing/upstream/video-upstream";

const VIDEOS = "/v1/videos/generations";
const TASKS = "/v1/contents/generations/tasks";
const video = { model: "super-relay", prompt: "a boat", resolution: "480p", duration: 5 };
const task = { model: "super-relay", content: [{ type: "text", text: "a boat" }] };
const image = { model: "super-relay-img", prompt: "A fox" };

let videos: VideoUpstream;
let images: TestUpstream;
let imageScript: Script;
let imagesMade = 0;
let relay: TestRelay;
/** A second process on the same database. */
let other: TestRelay;
let worker: VideoWorker;
let hasWorker = false;
let web: Listening;
let origin: string;
/** Told the number of each request that arrives. */
let onArrival = (_number: number): void => {};

const deliver: Script = (response, { path }) => {
  if (path.startsWith("/results/")) return void response.end(pngOf(2048, 2048));
  imagesMade++;
  const url = `http://${response.req.headers.host}/results/1.png`;
  sendJson(
    response,
    JSON.stringify({ model: "m", created: 1, data: [{ url }], usage: { output_tokens: 1 } }),
  );
};

beforeEach(async () => {
  imagesMade = 0;
  imageScript = deliver;
  hasWorker = false;
  onArrival = () => {};
  videos = await startVideoUpstream();
  images = await startUpstream((...given) => imageScript(...given));
  const imageChannel = images.channel({
    protocol: "ark",
    models: { "super-relay-img": "their-image" },
  });
  relay = await openTestRelay({ channels: [videos.channel], points: "100000" });
  other = await openTestRelay({ channels: [videos.channel], beside: relay });
  useImages = () => {
    relay.setting.channels = other.setting.channels = [imageChannel];
  };
  worker = createVideoWorker(relay.videoDeps(), { parallelMax: 10, claimMax: 10, idleMs: 10 });
  let arrived = 0;
  web = await serveFind((...asked) => {
    onArrival(++arrived);
    return relay.find(...asked);
  });
  origin = web.origin;
});
let useImages: () => void;
const startWorker = () => {
  hasWorker = true;
  worker.start();
};
afterEach(async () => {
  if (hasWorker) await worker.stop(2000);
  await web.close();
  const faults = await faultsOf(relay.pool);
  await Promise.all([relay.close(), other.close()]);
  await Promise.all([videos.close(), images.close()]);
  expect(faults).toEqual([]);
});

/** A request over a real connection. Its client disconnects when `signal` fires. */
const ask = (path: string, body: object, retry: number | null, signal?: AbortSignal) =>
  fetch(origin + path, {
    method: "POST",
    body: JSON.stringify(body),
    signal: signal ?? null,
    headers: {
      authorization: "Bearer good",
      "content-type": "application/json",
      ...(retry === null ? {} : { "x-stainless-retry-count": String(retry) }),
    },
  });
const retried = { "x-stainless-retry-count": "1" };
const joined = (answer: { headers: Headers }) => answer.headers.get("idempotent-joined");
const settled = async () =>
  Number(
    (await relay.pool.query("select count(*) from request where outcome = 'settled'")).rows[0]
      .count,
  );
const free = async () =>
  (
    await relay.pool.query(
      "select from idempotent_request where fingerprint is not null and caller_id is null",
    )
  ).rowCount;
const open = async () =>
  (await relay.pool.query("select from idempotent_request where fingerprint is not null")).rowCount;

test("the unmodified openai package, timing out twice on a slow video, is charged for one and gets it", async () => {
  const client = new OpenAI({
    apiKey: "good",
    maxRetries: 2,
    timeout: 1000,
    baseURL: `${origin}/v1`,
  });
  // The video is ready when the package asks for the third time.
  onArrival = (number) => {
    if (number === 3) startWorker();
  };
  const { data, response } = await client
    .post<{ id: string; video_url: string }>("/videos/generations", { body: video })
    .asResponse()
    .then(async (answer) => ({
      data: (await answer.json()) as { id: string; video_url: string },
      response: answer,
    }));
  expect(response.headers.get("idempotent-joined")).toBe("true");
  expect(data.video_url).toContain("http");
  expect(response.headers.get("x-relay-task-id")).toBe(data.id);
  expect(videos.tasks).toHaveLength(1);
  expect(await settled()).toBe(1);
}, 30_000);

test("two equal orders that were both intended stay two: each retry joins one of them", async () => {
  const leaving = [new AbortController(), new AbortController()];
  const first = leaving.map(({ signal }) => ask(VIDEOS, video, 0, signal).catch(() => "gone"));
  await expect.poll(() => videos.tasks.length).toBe(2);
  for (const one of leaving) one.abort();
  expect(await Promise.all(first)).toEqual(["gone", "gone"]);
  await expect.poll(free).toBe(2);
  const retries = [ask(VIDEOS, video, 1), ask(VIDEOS, video, 1)];
  await expect.poll(free).toBe(0);
  startWorker();
  const answers = await Promise.all(retries);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(joined)).toEqual(["true", "true"]);
  expect(new Set(answers.map(({ headers }) => headers.get("x-relay-task-id"))).size).toBe(2);
  expect(videos.tasks).toHaveLength(2);
}, 30_000);

test("a first attempt never joins, whatever is running or has ended", async () => {
  const one = await relay.send(TASKS, { body: JSON.stringify(task) });
  const two = await relay.send(TASKS, {
    body: JSON.stringify(task),
    headers: { "x-stainless-retry-count": "0" },
  });
  expect(one.json.id).not.toBe(two.json.id);
  expect([joined(one), joined(two)]).toEqual([null, null]);
  expect(videos.tasks).toHaveLength(2);
});

test("a retry also joins in another process, and after the first process was killed", async () => {
  const leaving = new AbortController();
  const first = ask(TASKS, task, 0, leaving.signal);
  const { id } = (await (await first).json()) as { id: string };
  const elsewhere = await other.send(TASKS, { body: JSON.stringify(task), headers: retried });
  expect([elsewhere.json.id, joined(elsewhere)]).toEqual([id, "true"]);
  // The state after SIGKILL: the order exists, its answer does not, and the process's lease has
  // expired.
  await relay.pool.query(
    "update idempotent_request set state = 'running', headers = null, body = null, node_id = 'node_dead', caller_node = 'node_dead'",
  );
  const after = await other.send(TASKS, { body: JSON.stringify(task), headers: retried });
  expect([after.json.id, joined(after)]).toEqual([id, "true"]);
  expect(videos.tasks).toHaveLength(1);
});

test("a retry with another body, key or endpoint does not join, nor does one of an order that ended long ago", async () => {
  const send = (path: string, body: object, headers: Record<string, string> = retried) =>
    relay.send(path, { body: JSON.stringify(body), headers });
  const first = await send(TASKS, task, {});
  expect(
    (await send(TASKS, { ...task, content: [{ type: "text", text: "another" }] })).json.id,
  ).not.toBe(first.json.id);
  relay.setting.principal = { ...relay.setting.principal, apiKeyId: "key_b", rateSubject: "key_b" };
  await relay.pool.query(
    "insert into api_key (id, account_id, name, key_hash, hint) values ('key_b', 'acct_a', 'b', sha256('b'), 'b')",
  );
  expect((await send(TASKS, task)).json.id).not.toBe(first.json.id);
  expect(videos.tasks).toHaveLength(3);
  startWorker();
  await expect.poll(settled, { timeout: 10_000 }).toBe(3);
  const soon = await send(TASKS, task);
  expect([joined(soon), videos.tasks.length]).toEqual(["true", 3]);
  const owner = new pg.Client({ connectionString: ownerUrlOf(relay.seeded.url) });
  await owner.connect();
  await owner.query("alter table request disable trigger request_append_only");
  await owner.query("update request set ended_at = now() - interval '11 minutes'");
  await owner.query("alter table request enable trigger request_append_only");
  await owner.end();
  const late = await send(TASKS, task);
  expect([joined(late), videos.tasks.length]).toEqual(["false", 4]);
}, 30_000);

test("a retry after an answer of 'try again' is a new order when every running order has its client", async () => {
  const waiting = ask(VIDEOS, video, 0);
  await expect.poll(() => videos.tasks.length).toBe(1);
  videos.script.submit = {
    status: 429,
    body: { error: { code: "RateLimitExceeded", message: "slow down" } },
  };
  const refused = await ask(VIDEOS, video, 0);
  expect(refused.status).toBe(429);
  videos.script.submit = null;
  const again = ask(VIDEOS, video, 1);
  await expect.poll(() => videos.tasks.length).toBe(2);
  // A connection without a client still looks open, so a retry that follows no failure joins.
  const joining = ask(VIDEOS, video, 1);
  await expect
    .poll(
      async () =>
        (await relay.pool.query("select 1 from idempotent_request where fingerprint is not null"))
          .rowCount,
    )
    .toBe(2);
  startWorker();
  const answers = await Promise.all([waiting, again, joining]);
  expect(answers.map(joined)).toEqual([null, "false", "true"]);
  expect(videos.tasks).toHaveLength(2);
}, 30_000);

test.each([{}, { response_format: "b64_json" }])(
  "a retry gets the image that was made after its client disconnected, from its file: %j",
  async (extra) => {
    useImages();
    let finish = () => {};
    imageScript = (response, request, count) => {
      if (request.path.startsWith("/results/")) return deliver(response, request, count);
      finish = () => void deliver(response, request, count);
    };
    const leaving = new AbortController();
    const body = { ...image, ...extra };
    const first = ask("/v1/images/generations", body, 0, leaving.signal).catch(() => "gone");
    await expect.poll(open).toBe(1);
    await expect.poll(() => images.seen.length).toBe(1);
    leaving.abort();
    await first;
    await expect.poll(free).toBe(1);
    finish();
    await expect.poll(settled, { timeout: 10_000 }).toBe(1);
    for (const one of [relay, other]) {
      const again = await one.send("/v1/images/generations", {
        body: JSON.stringify(body),
        headers: retried,
      });
      expect([again.status, joined(again), imagesMade]).toEqual([200, "true", 1]);
      const [item] = again.json.data as { url?: string; b64_json?: string }[];
      // The file is in the first process's folder.
      if (one === relay && item?.b64_json)
        expect(Buffer.from(item.b64_json, "base64")).toEqual(pngOf(2048, 2048));
      expect(Number(again.headers.get("x-relay-points"))).toBeGreaterThan(0);
      if (extra.response_format) break;
    }
    expect(await settled()).toBe(1);
  },
  30_000,
);

test("an account can turn this off: a retry is then an order of its own", async () => {
  await relay.pool.query("update account set joins_retries = false");
  const first = await relay.send(TASKS, { body: JSON.stringify(task) });
  const again = await relay.send(TASKS, { body: JSON.stringify(task), headers: retried });
  expect(again.json.id).not.toBe(first.json.id);
  expect(joined(again)).toBe("false");
  expect(await open()).toBe(0);
});

test("a retried chat request that repeats none is charged anew, and its answer says so", async () => {
  expect(joined(await relay.chat({}, retried))).toBe("false");
  expect(joined(await relay.chat({}, {}))).toBeNull();
});
