/** The unmodified `openai` package: videos and edits of images, with files, against the sandbox. */
import OpenAI, { toFile } from "openai";
import { expect, test, vi } from "vitest";
import { pause } from "@/lib/timing/pause";
import { jpegOf, pngOf, webpOf } from "@/testing/media/files";
import { openTestRelay } from "@/testing/relay/test-relay";
import { openWorker } from "@/testing/relay/video-client";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { serveFind } from "@/testing/stage/serve-find";
import { opened } from "@/testing/unit/opened";

const sandbox = await opened(startQuickSandbox());
const relay = await opened(
  openTestRelay({ channels: [sandbox.channel], points: "100000", keepsVideos: true }),
);
const web = await opened(serveFind(relay.find));
(await openWorker(relay.video)).start();
const baseURL = `http://127.0.0.1:${web.port}/v1`;
const client = new OpenAI({ apiKey: "good", baseURL });
const stranger = new OpenAI({ apiKey: "other", baseURL });

// Videos are made one after the other, and copied.
vi.setConfig({ testTimeout: 90_000 });

const order = (more: object = {}) =>
  client.videos.create({
    model: "super-relay-2",
    prompt: "A paper boat",
    seconds: "5" as "4",
    size: "1280x720",
    ...more,
  });

async function completed(id: string) {
  for (;;) {
    const video = await client.videos.retrieve(id);
    if (video.status === "completed" || video.status === "failed") return video;
    expect([0, 50]).toContain(video.progress);
    await pause(30);
  }
}

const png = () => toFile(pngOf(64, 64, 30_000), "boat.png", { type: "image/png" });
/** The charges since there were `from`, once nothing runs any more. */
async function chargesOf(from: number): Promise<number> {
  await expect.poll(async () => (await relay.balance()).held, { timeout: 20_000 }).toBe(0n);
  return (await relay.ends()).length - from;
}
const chargesBefore = () => chargesOf(0);

test("a video is created, polled, read whole and in part, and charged once", async () => {
  const before = await chargesBefore();
  const made = await order();
  expect(made).toMatchObject({
    object: "video",
    status: "queued",
    progress: 0,
    model: "super-relay-2",
    seconds: "5",
    size: "1280x720",
    prompt: "A paper boat",
    error: null,
    completed_at: null,
    remixed_from_video_id: null,
  });
  const video = await completed(made.id);
  expect(video).toMatchObject({ status: "completed", progress: 100, id: made.id, error: null });
  expect(video.expires_at).toBeGreaterThan(Date.now() / 1000 + 86_000);
  const whole = Buffer.from(await (await client.videos.downloadContent(made.id)).arrayBuffer());
  expect(whole.subarray(4, 8).toString()).toBe("ftyp");
  const part = await client.videos.downloadContent(
    made.id,
    {},
    { headers: { range: "bytes=4-7" } },
  );
  expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
  expect(part.headers.get("content-range")).toBe(`bytes 4-7/${whole.length}`);
  expect(await chargesOf(before)).toBe(1);
  const { rows } = await relay.pool.query(
    "select dialect from request_known order by id desc limit 1",
  );
  expect(rows).toEqual([{ dialect: "videos" }]);
});

test.each([
  ["a PNG", pngOf(64, 64, 30_000)],
  ["a JPEG", jpegOf(64, 64)],
  ["a WebP", webpOf(64, 64)],
])("%s becomes the first frame, whatever its name says", async (_, bytes) => {
  const made = await order({
    size: undefined,
    input_reference: await toFile(bytes, "file.txt", { type: "text/plain" }),
  });
  expect(made.size).toBe("720p");
  const { rows } = await relay.pool.query("select spec from video_task where id = $1", [made.id]);
  expect(rows[0].spec).toMatchObject({
    ratio: "adaptive",
    pictures: [{ role: "first_frame", url: null }],
  });
  expect((await completed(made.id)).status).toBe("completed");
});

test("the list is paged by the package itself, in both orders", async () => {
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push((await order()).id);
  const newest: string[] = [];
  for await (const video of client.videos.list({ limit: 2 })) newest.push(video.id);
  expect(newest.slice(0, 3)).toEqual(ids.toReversed());
  const oldest: string[] = [];
  for await (const video of client.videos.list({ limit: 2, order: "asc" })) oldest.push(video.id);
  expect(oldest).toEqual(newest.toReversed());
  await expect(client.videos.list({ after: "cgt-none" })).rejects.toMatchObject({
    status: 400,
    param: "after",
  });
});

test("a deleted video is gone, and its charge stays", async () => {
  const made = await order();
  await completed(made.id);
  const before = await relay.balance();
  expect(await client.videos.delete(made.id)).toEqual({
    id: made.id,
    object: "video.deleted",
    deleted: true,
  });
  await expect(client.videos.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  await expect(client.videos.downloadContent(made.id)).rejects.toMatchObject({ status: 404 });
  expect(await relay.balance()).toEqual(before);
});

test("another account's video is the same 404 as none", async () => {
  const { id } = await order();
  const errorOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      ({ status, error }: { status: number; error: unknown }) => ({ status, error }),
    );
  const none = "cgt-00000000000000000000000000";
  for (const name of ["retrieve", "delete", "downloadContent"] as const) {
    const foreign = await errorOf(stranger.videos[name](id));
    expect(foreign).toEqual(await errorOf(stranger.videos[name](none)));
    expect(foreign).toMatchObject({ status: 404, error: { code: "task_not_found" } });
  }
  expect((await stranger.videos.list()).data).toEqual([]);
  await expect(stranger.videos.list({ after: id })).rejects.toMatchObject({ status: 400 });
});

test("what cannot be had is refused with what can", async () => {
  const failing = async (more: object, param: string, text: RegExp) =>
    expect(order(more)).rejects.toMatchObject({
      status: 400,
      param,
      message: expect.stringMatching(text),
    });
  await failing({ size: "100x100" }, "size", /1280x720.*1792x1024/);
  await failing({ model: "super-relay-2.5", size: "1792x1024" }, "size", /1280x720/);
  await failing({ seconds: "soon" }, "seconds", /whole number/);
  await failing({ seconds: "99" }, "seconds", /5 to 12/);
  const text = await toFile(Buffer.from("no image at all"), "a.png", { type: "image/png" });
  await failing({ input_reference: text }, "input_reference", /PNG, JPEG or WebP/);
  const large = await toFile(pngOf(9, 9, 10 * 1024 * 1024), "a.png");
  await failing({ input_reference: large }, "input_reference", /10 MiB/);
  const { id } = await order();
  const spritesheet = client.videos.downloadContent(id, { variant: "spritesheet" });
  await expect(spritesheet).rejects.toMatchObject({ status: 400, param: "variant" });
  const { data } = await client.videos.list();
  const made = data.find(({ status }) => status === "completed") ?? (await completed(id));
  const thumbnail = client.videos.downloadContent(made.id, { variant: "thumbnail" });
  await expect(thumbnail).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining("has no thumbnail"),
  });
  await expect(client.videos.remix(id, { prompt: "x" })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining("POST /v1/videos"),
  });
  for (const call of [
    () => client.videos.edit({ prompt: "x", video: { id } }),
    () => client.videos.extend({ prompt: "x", seconds: "4", video: { id } }),
    () => client.videos.getCharacter("c"),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404, code: "route_not_found" });
});

test("an image is made from one file and from several", async () => {
  const before = await chargesBefore();
  const given = { model: "super-relay-img", prompt: "at night", size: "1024x1024" } as const;
  const one = await client.images.edit({ ...given, image: await png() });
  expect(one.data?.[0]?.url).toMatch(/\/v1\/media\/.*\.png/);
  const four = await Promise.all(Array.from({ length: 4 }, png));
  const several = await client.images.edit({
    ...given,
    image: four,
    response_format: "b64_json",
    n: 1,
  });
  expect(several.data?.[0]?.b64_json).toMatch(/^iVBOR/);
  expect(await chargesOf(before)).toBe(2);
  const refused = client.images.edit({ ...given, image: await png(), mask: await png() });
  await expect(refused).rejects.toMatchObject({ status: 400, param: "mask" });
  await expect(
    client.images.edit({ ...given, image: [...four, await png()] }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/`image` has 5 items: it must have 1 to 4/),
  });
  expect(await chargesOf(before)).toBe(2);
});
