/** Tests videos in the form of the Videos API against scripted upstreams: states, failures, ends. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { videoClient } from "@/testing/relay/video-client";
import {
  failed,
  startVideoUpstream,
  succeeded,
  type VideoUpstream,
} from "@/testing/upstream/video-upstream";

let upstream: VideoUpstream;
let relay: TestRelay;
const client = videoClient(() => relay);

beforeEach(async () => {
  upstream = await startVideoUpstream();
  relay = await openTestRelay({ channels: [upstream.channel], points: "100000" });
});
afterEach(async () => {
  expect(await client.close()).toEqual([]);
  await upstream.close();
});

const create = (body: object = {}) =>
  relay.send("/v1/videos", {
    body: JSON.stringify({ model: "super-relay-2", prompt: "a boat", ...body }),
  });
const get = async (id: unknown) => (await relay.send(`/v1/videos/${id}`)).json;
const remove = (id: unknown) => relay.send(`/v1/videos/${id}`, { method: "DELETE" });

test("the states are those that clients of the Videos API wait for", async () => {
  let end: object = { status: "queued" };
  upstream.script.state = () => end;
  const { json } = await create({ size: "1024x1792", seconds: 7 });
  expect(json).toMatchObject({ status: "queued", progress: 0, seconds: "7", size: "1080x1920" });
  client.work();
  end = { status: "running" };
  await expect.poll(async () => (await get(json.id)).status).toBe("in_progress");
  expect(await get(json.id)).toMatchObject({ progress: 50, completed_at: null, error: null });
  const early = await relay.send(`/v1/videos/${json.id}/content`);
  expect([early.status, early.json.error?.message]).toEqual([
    404,
    expect.stringContaining("its status is in_progress"),
  ]);
  expect((await remove(json.id)).json.error?.code).toBe("task_not_cancellable");
  end = succeeded(1000, { resolution: "1080p", ratio: "9:16", duration: 8 });
  await expect.poll(async () => (await get(json.id)).status).toBe("completed");
  expect(await get(json.id)).toMatchObject({
    progress: 100,
    seconds: "8",
    size: "1080x1920",
    completed_at: expect.any(Number),
    expires_at: expect.any(Number),
  });
  // The same task in the other style.
  expect((await client.poll(json.id)).json).toMatchObject({ status: "succeeded", ratio: "9:16" });
  expect((await relay.ends()).map(({ outcome }) => outcome)).toEqual(["settled"]);
});

test.each([
  ["failed", failed("OutputVideoSensitiveContentDetected"), "content_rejected"],
  ["expired", { status: "expired" }, "task_expired"],
  ["cancelled", { status: "cancelled" }, "task_cancelled"],
])(
  "a video that is %s upstream has failed, with its code and without a charge",
  async (_, state, code) => {
    upstream.script.state = () => state;
    const { json } = await create();
    client.work();
    await expect.poll(async () => (await get(json.id)).status).toBe("failed");
    const ended = await get(json.id);
    expect(ended).toMatchObject({ progress: 0, error: { code }, completed_at: null });
    expect(JSON.stringify(ended)).not.toContain("secret words");
    const content = await relay.send(`/v1/videos/${json.id}/content`);
    expect([content.status, content.json.error?.code]).toEqual([404, "not_found"]);
    expect((await relay.ends()).map(({ amount }) => amount)).toEqual([0]);
    expect((await relay.balance()).held).toBe(0n);
  },
);

test("a queued video is cancelled and gone, and its points are back", async () => {
  upstream.script.state = () => ({ status: "queued" });
  const { json } = await create();
  expect((await relay.balance()).held).toBeGreaterThan(0n);
  expect((await remove(json.id)).json).toEqual({
    id: json.id,
    object: "video.deleted",
    deleted: true,
  });
  expect((await get(json.id)).error).toMatchObject({ code: "task_not_found" });
  expect((await relay.balance()).held).toBe(0n);
  expect(upstream.tasks[0]?.cancelled).toBe(true);
});

test("without a size, the first frame decides the ratio", async () => {
  const address = "https://a.example/1.png";
  for (const input_reference of [address, { image_url: address }]) {
    const { json } = await create({ input_reference });
    expect(json.size).toBe("720p");
    const sent = JSON.stringify(upstream.tasks.at(-1)?.body);
    expect(sent).toContain('"ratio":"adaptive"');
    expect(sent).toContain(address);
  }
  const file = await create({ input_reference: { file_id: "file-1" } });
  expect([file.status, file.json.error?.param]).toEqual([
    400,
    expect.stringContaining("input_reference"),
  ]);
});

test("flags in the prompt count, and those that disagree with a field are named", async () => {
  expect((await create({ prompt: "a boat --rs 480p --dur 6" })).json).toMatchObject({
    seconds: "6",
    size: "864x496",
    prompt: "a boat",
  });
  const both = await create({ prompt: "a boat --rs 480p", size: "1280x720" });
  expect([both.status, both.json.error?.message]).toEqual([400, expect.stringContaining("--rs")]);
});

test("a quote of a video is what its order holds", async () => {
  const body = { model: "super-relay-2", prompt: "a boat", seconds: "6", size: "1280x720" };
  const quote = await relay.send("/v1/quote", {
    body: JSON.stringify({ endpoint: "createVideoJob", ...body }),
  });
  const before = await relay.balance();
  await create(body);
  const { held } = await relay.balance();
  expect(Number(held - before.held) / 1e6).toBe(quote.json.hold_points);
});

test("our own words for the length and the size count, and those that disagree are named", async () => {
  const own = { duration: 6, resolution: "480p", ratio: "1:1" };
  expect((await create(own)).json).toMatchObject({ seconds: "6", size: "640x640" });
  expect((await create({ ...own, seconds: "6" })).status).toBe(200);
  const both = await create({ duration: 6, seconds: "7" });
  expect([both.status, both.json.error]).toEqual([
    400,
    expect.objectContaining({ param: "duration", message: expect.stringContaining("`seconds`") }),
  ]);
  const sizes = await create({ resolution: "480p", size: "1280x720" });
  expect([sizes.status, sizes.json.error?.param]).toEqual([400, "resolution"]);
});
