import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { TASKS, videoClient } from "@/testing/relay/video-client";
import {
  failed,
  startVideoUpstream,
  stepwise,
  succeeded,
  type VideoUpstream,
} from "@/testing/upstream/video-upstream";

let upstream: VideoUpstream;
let relay: TestRelay;
const { close, work, call, order, poll, ended } = videoClient(() => relay);
beforeEach(async () => {
  upstream = await startVideoUpstream();
  relay = await openTestRelay({
    channels: [upstream.channel],
    points: "10000",
    videoTimes: { waitMs: 10_000 },
  });
});
afterEach(async () => {
  const faults = await close();
  await upstream.close();
  expect(faults).toEqual([]);
});

const age = (id: unknown) =>
  relay.pool.query(
    "update video_task set created_at = created_at - interval '49 hours' where id = $1",
    [id],
  );

test("a task is sent with every priced parameter, polled by its id, charged once by reported tokens, and keeps one link", async () => {
  const created = await order("a cat --rs 720p --dur 5 --rt 16:9", {
    seed: 7,
    camera_fixed: false,
    colour: "red",
  });
  expect(created.json).toEqual({ id: expect.stringMatching(/^cgt-/), model: "super-relay-2" });
  expect(created.headers.get("x-relay-ignored-fields")).toBe("colour");
  expect(upstream.tasks[0]?.body).toEqual({
    model: "Super-Relay2.0",
    content: [{ type: "text", text: "a cat" }],
    resolution: "720p",
    ratio: "16:9",
    duration: 5,
    generate_audio: false,
    watermark: false,
    seed: 7,
    camera_fixed: false,
  });
  expect((await poll(created.json.id)).json).toMatchObject({
    status: "queued",
    error: null,
    duration: 5,
    generate_audio: false,
  });
  expect((await relay.balance()).held).toBeGreaterThan(0n);
  work();
  const task = await ended(created.json.id);
  expect(task).toMatchObject({
    id: created.json.id,
    model: "super-relay-2",
    status: "succeeded",
    usage: { completion_tokens: 108_900, total_tokens: 108_900 },
    resolution: "720p",
    framespersecond: 24,
    seed: 7,
  });
  expect(
    new Set(
      await Promise.all(
        Array.from({ length: 100 }, async () => (await poll(created.json.id)).text),
      ),
    ).size,
  ).toBe(1);
  expect(await relay.ends()).toMatchObject([
    { outcome: "settled", amount: 500_940_000, output: 108_900, losses: [] },
  ]);
  expect(upstream.tasks).toHaveLength(1);
});

test("a single call waits for its task and returns it; the task is listed at once", async () => {
  work();
  const answer = await call();
  expect(answer.json).toMatchObject({
    model: "super-relay-2",
    resolution: "720p",
    duration: 5,
    video_url: expect.stringContaining("/v1/media/"),
  });
  const id = answer.headers.get("x-relay-task-id");
  expect(answer.json.id).toBe(id);
  expect(answer.headers.get("x-relay-points")).toBe("500.94");
  expect((await relay.send(TASKS)).json).toMatchObject({
    total: 1,
    items: [{ id, status: "succeeded" }],
  });
});

test("one task with a waiter, 100 polls, two workers and a second settlement is charged once", async () => {
  upstream.script.state = (_, read) => (read < 4 ? { status: "running" } : succeeded());
  work();
  work();
  const waiting = call();
  await expect.poll(() => upstream.tasks.length).toBe(1);
  const { items } = (await relay.send(TASKS)).json as { items: { id: string }[] };
  const polls = Promise.all(Array.from({ length: 100 }, () => poll(items[0]?.id)));
  const [answer, seen] = await Promise.all([waiting, polls]);
  expect(answer.status).toBe(200);
  expect(seen.every(({ status }) => status === 200)).toBe(true);
  expect(await relay.ends()).toHaveLength(1);
});

test.each([
  ["failed", failed("InternalServiceError"), "upstream_failed", 502],
  ["failed", failed("OutputVideoSensitiveContentDetected"), "content_rejected", 502],
  [
    "failed",
    failed("OutputAudioSensitiveContentDetected.PolicyViolation"),
    "audio_review_failed",
    502,
  ],
  ["expired", { status: "expired" }, "task_expired", 504],
  ["cancelled", { status: "cancelled" }, "task_cancelled", 502],
])(
  "a video that is %s upstream (%j) costs nothing in either style",
  async (status, end, code, httpStatus) => {
    const before = await relay.balance();
    upstream.script.state = stepwise(end);
    work();
    const task = await ended((await order()).json.id);
    expect(task).toMatchObject({ status, error: { code } });
    expect(JSON.stringify(task)).not.toContain("secret words");
    expect(task).not.toHaveProperty("content");
    const answer = await call();
    expect(answer.status).toBe(httpStatus);
    expect(answer.json.error).toMatchObject({ task_id: answer.headers.get("x-relay-task-id") });
    expect(await relay.balance()).toEqual(before);
    expect((await relay.ends()).map(({ outcome }) => outcome)).toEqual(["released", "released"]);
  },
);

test.each([
  [
    "refuses",
    {
      status: 400,
      body: { error: { code: "InputTextSensitiveContentDetected", message: "secret" } },
    },
    502,
    "content_rejected",
    [],
  ],
  [
    "has no room",
    { status: 429, body: { error: { code: "ServerOverloaded", message: "x" } } },
    429,
    "upstream_concurrency_exceeded",
    [],
  ],
  [
    "rejects our key",
    { status: 401, body: { error: { code: "AuthenticationError", message: "x" } } },
    503,
    "no_channel_available",
    [],
  ],
  [
    "answers without an id",
    { status: 200, body: {} },
    502,
    "upstream_bad_response",
    ["orphan_upstream"],
  ],
  ["breaks the connection after it accepted", "cut", 502, "upstream_failed", ["orphan_upstream"]],
] as const)(
  "an upstream that %s at the submit ends the task without a charge, and it is never sent twice",
  async (_, submit, status, code, losses) => {
    const before = await relay.balance();
    upstream.script.submit = submit;
    const answer = await order();
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    expect(await relay.balance()).toEqual(before);
    work();
    expect(await relay.ends()).toMatchObject([{ outcome: "released", losses }]);
    expect(upstream.tasks.length).toBe(submit === "cut" ? 1 : 0);
    expect((await relay.send(TASKS)).json).toMatchObject({
      total: 1,
      items: [{ status: "failed" }],
    });
  },
);

test.each([
  [
    "no usage: the size table stands in",
    succeeded(null, { resolution: "480p" }),
    { outcome: "settled", output: 50_639, losses: [] },
  ],
  [
    "no usage and no known size: nothing is charged",
    succeeded(null, { ratio: "5:4" }),
    { outcome: "settled", amount: 0, losses: ["usage_missing"] },
  ],
  [
    "absurd usage: nothing is charged",
    succeeded(-1),
    { outcome: "settled", amount: 0, losses: ["usage_missing"] },
  ],
  [
    "usage above the hold: the hold is charged",
    succeeded(2_000_000),
    { outcome: "settled", amount: 523_204_000, held: 523_204_000, losses: ["usage_over_hold"] },
  ],
])("a finished video with %s", async (_, end, expected) => {
  upstream.script.state = stepwise(end);
  work();
  expect(await ended((await order()).json.id)).toMatchObject({
    status: "succeeded",
    content: { video_url: expect.any(String) },
  });
  expect(await relay.ends()).toMatchObject([expected]);
});

test("a change of price or channel does not affect a running task", async () => {
  const { id } = (await order()).json;
  await relay.pool.query(
    "insert into price_version (model, output_price, created_by) values ('Super-Relay2.0', 9000000000, 'test')",
  );
  relay.setting.channels = [];
  work();
  expect(await ended(id)).toMatchObject({ status: "succeeded" });
  expect(await relay.ends()).toMatchObject([{ amount: 500_940_000 }]);
});

test("polls return the last known state during upstream trouble, and the task ends afterwards", async () => {
  const { id } = (await order()).json;
  upstream.script.read = { status: 500, body: { error: { code: "InternalServiceError" } } };
  work();
  await expect
    .poll(
      async () =>
        (await relay.pool.query("select poll_failures from video_task")).rows[0].poll_failures,
    )
    .toBeGreaterThan(1);
  expect((await poll(id)).json).toMatchObject({ status: "queued" });
  upstream.script.read = null;
  expect(await ended(id)).toMatchObject({ status: "succeeded" });
});

test("a task that its upstream no longer knows ends without a charge and with a loss, after several such answers", async () => {
  const { id } = (await order()).json;
  upstream.tasks.length = 0;
  work();
  expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "upstream_failed" } });
  expect(await relay.ends()).toMatchObject([{ outcome: "released", losses: ["orphan_upstream"] }]);
});

test("a task at the end of its life gets one last poll: a finished video is charged, an unfinished one expires free", async () => {
  upstream.script.state = () => ({ status: "running" });
  const [one, other] = [(await order()).json.id, (await order("a dog")).json.id];
  upstream.script.state = (task) =>
    JSON.stringify(task.body).includes("dog") ? succeeded() : { status: "running" };
  await age(one);
  await age(other);
  work();
  expect(await ended(one)).toMatchObject({ status: "expired", error: { code: "task_expired" } });
  expect(await ended(other)).toMatchObject({ status: "succeeded" });
});

test("a single call that takes too long gets 504 with its task's id, and the task continues", async () => {
  upstream.script.state = () => ({ status: "running" });
  await relay.close();
  relay = await openTestRelay({ channels: [upstream.channel], videoTimes: { waitMs: 300 } });
  work();
  const answer = await call();
  expect([answer.status, answer.json.error?.code]).toEqual([504, "task_still_running"]);
  expect(answer.headers.get("x-should-retry")).toBe("false");
  const id = answer.json.error?.task_id;
  expect(id).toBe(answer.headers.get("x-relay-task-id"));
  upstream.script.state = () => succeeded();
  expect(await ended(id)).toMatchObject({ status: "succeeded" });
});

test("with too few points nothing is ordered, and nothing is sent", async () => {
  await relay.close();
  relay = await openTestRelay({ channels: [upstream.channel], points: "600" });
  const answers = await Promise.all(Array.from({ length: 8 }, () => order()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(7);
  expect(upstream.tasks).toHaveLength(1);
});
