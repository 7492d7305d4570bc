import { afterEach, beforeEach, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import {
  startVideoUpstream,
  succeeded,
  type VideoUpstream,
} from "@/testing/upstream/video-upstream";
import { createVideoWorker } from "./video-worker";

const bounds = { parallelMax: 400, claimMax: 100, idleMs: 10 };
let upstream: VideoUpstream;
let relay: TestRelay;
beforeEach(async () => {
  upstream = await startVideoUpstream();
  relay = await openTestRelay({ channels: [upstream.channel], points: "999999" });
});
afterEach(async () => {
  await relay.close();
  await upstream.close();
});

const order = async (text: string) => {
  const body = JSON.stringify({ model: "super-relay-fast", content: [{ type: "text", text }] });
  return (await relay.send("/v1/contents/generations/tasks", { body })).json.id as string;
};
const countOf = async (where: string) =>
  (await relay.pool.query(`select count(*)::integer as n from video_task where ${where}`)).rows[0]
    .n;
const give = (where = "true") =>
  relay.pool.query(
    `update video_task set lease_until = now() - interval '1 second' where ${where}`,
  );

test("a task whose process died after the hold is released; one whose submit got no answer is never sent again", async () => {
  const deps = relay.videoDeps();
  await order("first");
  upstream.tasks.length = 0;
  await relay.pool.query(
    "update video_task set submit_state = 'none', upstream_ref = null, channel_id = null, channel_base_url = null",
  );
  await order("second");
  await relay.pool.query(
    "update video_task set submit_state = 'intent', upstream_ref = null where submit_state = 'accepted'",
  );
  upstream.tasks.length = 0;
  upstream.script.state = () => succeeded();
  await give();
  const worker = createVideoWorker(deps, bounds);
  worker.start();
  await expect.poll(() => countOf("status in ('queued', 'running')"), { timeout: 8000 }).toBe(0);
  await worker.stop(1000);
  expect(upstream.tasks).toHaveLength(0);
  expect((await relay.ends()).map(({ outcome, losses }) => [outcome, ...losses])).toEqual([
    ["released"],
    ["released", "orphan_upstream"],
  ]);
});

test("no worker takes a task that is being submitted, not even its own process's, and it is sent once", async () => {
  upstream.script.submit = "hang";
  const ordered = order("a cat");
  await expect.poll(() => countOf("submit_state = 'intent'")).toBe(1);
  const { table } = relay.video;
  // The worker built its list of busy tasks before this task was opened, so the list does not name
  // it.
  expect(await table.claim(10, [], 0)).toEqual([]);
  const { id } = (await relay.pool.query<{ id: string }>("select id from video_task")).rows[0] as {
    id: string;
  };
  expect(await table.noteIntent(id, upstream.channel, true, null)).toBe(false);
  expect(
    await table.noteIntent(id, { ...upstream.channel, id: "ch_next" }, true, upstream.channel),
  ).toBe(true);
  expect(
    await table.noteIntent(id, { ...upstream.channel, id: "ch_next" }, true, upstream.channel),
  ).toBe(false);
  await upstream.close();
  await ordered;
});

test("a stopping process leaves its tasks to the others at once; a dead one's are taken when its lease expires", async () => {
  upstream.script.state = () => ({ status: "running" });
  await order("a cat");
  const first = createVideoWorker(relay.videoDeps(), bounds);
  first.start();
  await expect.poll(() => countOf("lease_until > now() and status = 'running'")).toBe(1);
  const second = relay.videoDeps();
  expect(await second.table.claim(10, [], 0)).toEqual([]);
  await first.stop(1000);
  await expect.poll(async () => (await second.table.claim(10, [], 0)).length).toBe(1);
});

test("a task of a process's own channel stays with the process while it lives", async () => {
  await relay.close();
  relay = await openTestRelay({
    channels: [upstream.channel],
    wrapVideo: (deps) => ({ ...deps, isPassing: () => true }),
  });
  await order("a cat");
  await relay.pool.query("update video_task set next_poll_at = now()");
  expect(await relay.videoDeps().table.claim(10, [], 0)).toEqual([]);
  expect(await relay.video.table.claim(10, [], 0)).toHaveLength(1);
  await give();
  expect(await relay.videoDeps().table.claim(10, [], 0)).toHaveLength(1);
});

test("open tasks are polled in time while some of them hang, by two processes without overlap", async () => {
  const pollSeconds = 1;
  const reads = new Map<string, number[]>();
  let overlaps = 0;
  upstream.script.state = (task) => {
    const times = reads.get(task.id) ?? [];
    reads.set(task.id, [...times, performance.now()]);
    return { status: "running" };
  };
  for (let n = 0; n < 8; n++)
    await Promise.all(Array.from({ length: extent(10, 20) }, (_, at) => order(`cat ${n} ${at}`)));
  const slow = new Set(upstream.tasks.filter((_, at) => at % 20 === 0).map(({ id }) => id));
  const workers = [0, 1].map(() => {
    const deps = relay.videoDeps({ times: { pollSeconds, lifeSeconds: 3600, waitMs: 1000 } });
    const asked = new Set<string>();
    const { read } = deps.provider;
    const provider = {
      ...deps.provider,
      async read(...[channel, ref]: Parameters<typeof read>) {
        if (asked.has(ref)) overlaps++;
        asked.add(ref);
        if (slow.has(ref)) await new Promise((resolve) => setTimeout(resolve, 3000));
        return read(channel, ref).finally(() => asked.delete(ref));
      },
    };
    return createVideoWorker({ ...deps, provider }, bounds);
  });
  for (const worker of workers) worker.start();
  await new Promise((resolve) => setTimeout(resolve, extent(3500, 6000)));
  await Promise.all(workers.map((worker) => worker.stop(4000)));
  const gaps = [...reads]
    .filter(([id]) => !slow.has(id))
    .flatMap(([, times]) => times.slice(1).map((time, at) => time - (times[at] as number)));
  gaps.sort((one, other) => one - other);
  expect(gaps.length).toBeGreaterThan(extent(120, 400));
  expect(gaps[Math.floor(gaps.length * 0.99)]).toBeLessThan(pollSeconds * 2000);
  expect(overlaps).toBe(0);
}, 60_000);

test("a task with a waiting caller is polled within 10 s, by any process, however often its upstream failed", async () => {
  const id = await order("a cat");
  const postponed =
    "update video_task set next_poll_at = now() + interval '60 seconds', poll_failures = 6";
  await relay.pool.query(postponed);
  const { waiters } = relay.videoDeps();
  const waiting = waiters.wait(id, 20_000);
  const secondsLeft = async () =>
    (
      await relay.pool.query(
        "select extract(epoch from next_poll_at - now())::float8 as left from video_task",
      )
    ).rows[0].left;
  await expect.poll(secondsLeft, { timeout: 8000 }).toBeLessThan(6);
  await relay.pool.query(postponed);
  await expect.poll(secondsLeft, { timeout: 8000 }).toBeLessThan(6);
  waiters.stop();
  expect(await waiting).toBe(false);
  await relay.pool.query(postponed);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await secondsLeft()).toBeGreaterThan(50);
}, 30_000);

/** The polls of a task fail so often that its back-off would take a minute. */
const FAILING_POLLS = 7;
async function openFailing() {
  await relay.close();
  relay = await openTestRelay({
    channels: [upstream.channel],
    points: "999999",
    hurryMs: 100,
    videoTimes: { pollSeconds: 0.5 },
  });
  let polls = 0;
  const { read } = relay.video.provider;
  const provider: typeof relay.video.provider = {
    ...relay.video.provider,
    read(channel, ref) {
      const isFailing = ++polls <= FAILING_POLLS;
      upstream.script.read = isFailing ? { status: polls % 2 ? 500 : 429, body: {} } : null;
      return read(channel, ref);
    },
  };
  upstream.script.state = () => succeeded();
  const worker = createVideoWorker({ ...relay.video, provider }, bounds);
  worker.start();
  return worker;
}

test("whoever asks about a task, or waits for it, gets its video soon after its upstream answers again", async () => {
  const asking = await openFailing();
  const id = await order("a cat");
  const statusOf = async () =>
    (await relay.send(`/v1/contents/generations/tasks/${id}`)).json.status;
  await expect.poll(statusOf, { timeout: 25_000, interval: 50 }).toBe("succeeded");
  await asking.stop(1000);
  const waiting = await openFailing();
  const body = JSON.stringify({ model: "super-relay-fast", prompt: "a cat" });
  const startedAt = performance.now();
  expect((await relay.send("/v1/videos/generations", { body })).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(25_000);
  await waiting.stop(1000);
}, 60_000);

test("an upstream that asks not to be polled for a while is not, whoever waits, nor for its other tasks", async () => {
  await relay.close();
  relay = await openTestRelay({ channels: [upstream.channel], hurryMs: 100, points: "999999" });
  const { read } = relay.video.provider;
  const readAt: number[] = [];
  const provider: typeof relay.video.provider = {
    ...relay.video.provider,
    read(channel, ref) {
      readAt.push(performance.now());
      return read(channel, ref);
    },
  };
  upstream.script.read = { status: 429, body: {}, waitSeconds: 2 };
  const id = await order("a cat");
  const worker = createVideoWorker({ ...relay.video, provider }, bounds);
  worker.start();
  await expect.poll(() => readAt.length).toBe(1);
  const other = await order("a dog");
  upstream.script.read = null;
  upstream.script.state = () => succeeded();
  for (const each of [id, other]) expect(await relay.video.waiters.wait(each, 20_000)).toBe(true);
  await worker.stop(1000);
  expect((readAt[1] ?? 0) - (readAt[0] ?? 0)).toBeGreaterThan(1900);
}, 30_000);

test("without a task the worker cooldowns, and a task of another process wakes it", async () => {
  let claims = 0;
  const { claim } = relay.video.table;
  const table: typeof relay.video.table = {
    ...relay.video.table,
    claim(...of) {
      claims++;
      return claim(...of);
    },
  };
  upstream.script.state = () => succeeded();
  const slow = { ...bounds, idleMs: 600_000 };
  const worker = createVideoWorker({ ...relay.video, table }, slow);
  worker.start();
  await expect.poll(() => claims).toBe(1);
  await order("a cat");
  await expect.poll(() => countOf("status = 'succeeded'"), { timeout: 20_000 }).toBe(1);
  expect(claims).toBeLessThan(10);
  await worker.stop(1000);
}, 30_000);
