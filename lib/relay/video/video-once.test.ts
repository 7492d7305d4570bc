/**
 * Tests that a video ordered with an Idempotency-Key is charged once, whatever happens to the call
 * that ordered it.
 */
import { expect, test } from "vitest";
import { openTestRelay } from "@/testing/relay/test-relay";
import { openWorker } from "@/testing/relay/video-client";
import { opened } from "@/testing/unit/opened";
import { startVideoUpstream } from "@/testing/upstream/video-upstream";

const upstream = await opened(startVideoUpstream());
const relay = await opened(
  openTestRelay({
    channels: [upstream.channel],
    points: "100000",
    videoTimes: { waitMs: 150 },
  }),
);
const worker = await openWorker(relay.videoDeps());

const video = JSON.stringify({
  model: "super-relay",
  prompt: "a boat",
  resolution: "480p",
  duration: 5,
});
const order = (key: string) =>
  relay.send("/v1/videos/generations", { body: video, headers: { "idempotency-key": key } });

test("a retry of a call that waited too long joins the same task, and the last one gets the video", async () => {
  const first = await order("outlasting");
  expect([first.status, first.json.error?.code]).toEqual([504, "task_still_running"]);
  const taskId = first.headers.get("x-relay-task-id");
  const second = await order("outlasting");
  expect([second.status, second.headers.get("x-relay-task-id")]).toEqual([504, taskId]);
  worker.start();
  await expect.poll(async () => (await order("outlasting")).status, { timeout: 10_000 }).toBe(200);
  const again = await order("outlasting");
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.json.id).toBe(taskId);
  expect(upstream.tasks).toHaveLength(1);
  expect(await relay.ends()).toHaveLength(1);
});

test("fifty equal orders give one task with one id", async () => {
  const before = upstream.tasks.length;
  const body = JSON.stringify({
    model: "super-relay",
    content: [{ type: "text", text: "a boat" }],
  });
  const headers = { "idempotency-key": "fifty" };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      relay.send("/v1/contents/generations/tasks", { body, headers }),
    ),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(upstream.tasks.length).toBe(before + 1);
});

test("a retry of an order whose process died after opening its task gets that task", async () => {
  const before = upstream.tasks.length;
  const body = JSON.stringify({
    model: "super-relay",
    content: [{ type: "text", text: "another boat" }],
  });
  const headers = { "idempotency-key": "died" };
  const first = await relay.send("/v1/contents/generations/tasks", { body, headers });
  const dead =
    "update idempotent_request set state = 'running', headers = null, body = null, node_id = 'node_dead' where key = 'died'";
  await relay.pool.query(dead);
  const retry = await relay.send("/v1/contents/generations/tasks", { body, headers });
  expect(retry.json.id).toBe(first.json.id);
  expect(retry.headers.get("idempotent-replayed")).toBeNull();
  expect(upstream.tasks.length).toBe(before + 1);
});
