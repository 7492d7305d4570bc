/** What the service promises its customers: a test for each field, model, endpoint, error and limit. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { models } from "@/lib/catalog/models";
import { videoSize, videoTokens } from "@/lib/catalog/video-sizes";
import { openTestRelay, type TestRelay } from "@/lib/relay/testing";
import type { TestAnswer } from "@/lib/relay/testing-answers";
import { createVideoWorker, type VideoWorker } from "@/lib/relay/video/video-worker";
import { type Sandbox, startSandbox } from "@/lib/sandbox/sandbox";

let sandbox: Sandbox;
let relay: TestRelay;
let worker: VideoWorker;

beforeAll(async () => {
  sandbox = await startSandbox({ pace: 0 });
  relay = await openTestRelay({ channels: [sandbox.channel], points: "9000000", keepsVideos: true });
  worker = createVideoWorker(relay.video);
  worker.start();
});
afterAll(async () => {
  await worker.stop(2000);
  await relay.close();
  await sandbox.close();
});

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  relay.send(path, { body: JSON.stringify(body), headers });
const messages = [{ role: "user", content: "hello" }];
const chat = (body: object) => post("/v1/chat/completions", { model: "RelayV1", messages, ...body });
const film = (body: object) =>
  post("/v1/videos/generations", { model: "super-relay-fast", prompt: "a fox", resolution: "480p", duration: 3, ...body });
const quoteOf = async (body: object) =>
  (await post("/v1/quote", { endpoint: "createVideo", model: "super-relay", prompt: "a fox", ...body })) as TestAnswer & {
    json: { normalized: Record<string, unknown>; tokens: { output: number } };
  };
const image = (body: object) => post("/v1/images/generations", { model: "super-relay-img", prompt: "a fox", size: "512x512", ...body });
const submit = (text: string, more: object[] = []) =>
  post("/v1/contents/generations/tasks", { model: "super-relay", content: [{ type: "text", text }, ...more] });
const picture = "https://example.org/a.png";

/** Expects a refusal with this error, and that it cost nothing. */
async function refused(request: () => Promise<TestAnswer>, status: number, code: string, param: string | null): Promise<void> {
  // A task of an earlier test may still be running.
  await expect.poll(async () => (await relay.balance()).held, { timeout: 20_000 }).toBe(0n);
  const before = await relay.balance();
  expect(await request()).toMatchObject({ status, json: { error: { code, param } } });
  expect(await relay.balance()).toEqual(before);
}

async function ended(id: unknown): Promise<TestAnswer["json"]> {
  for (;;) {
    const { json } = await relay.send(`/v1/contents/generations/tasks/${id}`);
    if (json.status !== "queued" && json.status !== "running") return json;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("one key reaches three families", () => {
  test("Text: RelayV1", async () => expect((await chat({})).status).toBe(200));
  test("Video: six models, in both styles", async () => {
    const names = models.filter(({ family }) => family === "video").map(({ id }) => id);
    expect(names).toEqual(["Super-Relay", "Super-RelayFast", "Super-Relay1.5", "Super-Relay2.0", "Super-Relay2.0Fast", "Super-Relay2.5"]);
    for (const model of names) expect((await quoteOf({ model })).status).toBe(200);
    expect((await film({})).status).toBe(200);
    expect((await submit("a fox --rs 480p --dur 3")).status).toBe(200);
  });
  test("Image: Super-Relay-Image", async () => expect((await image({ model: "Super-Relay-Image" })).status).toBe(200));
});

describe("chat request", () => {
  test("model: required, RelayV1", async () => {
    await refused(() => chat({ model: undefined }), 400, "missing_required_parameter", "model");
    await refused(() => chat({ model: "other" }), 404, "model_not_found", "model");
  });
  test("messages: required, each with role and content", async () => {
    await refused(() => chat({ messages: undefined }), 400, "missing_required_parameter", "messages");
    await refused(() => chat({ messages: [{ content: "hi" }] }), 400, "missing_required_parameter", "messages[0].role");
  });
  test("stream: true turns on streaming, ended by [DONE]", async () => {
    const { text, headers } = await chat({ stream: true });
    expect(headers.get("content-type")).toContain("text/event-stream");
    expect(text.trim().endsWith("data: [DONE]")).toBe(true);
    expect(JSON.parse(text.split("\n")[0]?.slice(6) ?? "").choices[0].delta).toBeDefined();
  });
  test("stream_options.include_usage: the last chunk carries usage, otherwise none does; both are billed alike", async () => {
    const known = (await relay.ends()).length;
    expect((await chat({ stream: true })).text).not.toContain('"usage":{');
    const lines = (await chat({ stream: true, stream_options: { include_usage: true } })).text.trim().split("\n\n");
    expect(JSON.parse(lines.at(-2)?.slice(6) ?? "").usage.total_tokens).toBeGreaterThan(0);
    const [first, second] = (await relay.ends()).slice(known);
    expect(first?.amount).toBe(second?.amount);
  });
});

describe("video request", () => {
  test("model: required, a video model", async () => {
    await refused(() => film({ model: undefined }), 400, "missing_required_parameter", "model");
    await refused(() => film({ model: "RelayV1" }), 400, "unsupported_value", "model");
    await refused(() => film({ model: "other" }), 404, "model_not_found", "model");
  });
  test("prompt: required", () => refused(() => film({ prompt: undefined }), 400, "missing_required_parameter", "prompt"));
  test("resolution: 480p, 720p, 1080p; Super-Relay2.5 has no 1080p", async () => {
    for (const resolution of ["480p", "720p", "1080p"])
      expect((await quoteOf({ resolution })).json.normalized).toMatchObject({ resolution });
    await refused(() => film({ resolution: "4k" }), 400, "unsupported_value", "resolution");
    await refused(() => film({ model: "super-relay-2.5", resolution: "1080p" }), 400, "unsupported_value", "resolution");
  });
  test("duration: at most 12, Super-Relay2.5 at most 15", async () => {
    expect((await quoteOf({ duration: 12 })).status).toBe(200);
    expect((await quoteOf({ model: "super-relay-2.5", duration: 15 })).status).toBe(200);
    await refused(() => film({ duration: 13 }), 400, "unsupported_value", "duration");
    await refused(() => film({ model: "super-relay-2.5", duration: 16 }), 400, "unsupported_value", "duration");
  });
  test("ratio: six of them", async () => {
    for (const ratio of ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"])
      expect((await quoteOf({ ratio })).json.normalized).toMatchObject({ ratio });
    await refused(() => film({ ratio: "2:1" }), 400, "unsupported_value", "ratio");
  });
  test("first_frame_url: image to video, on every model", async () => {
    for (const model of ["super-relay", "super-relay-2"]) expect((await quoteOf({ model, first_frame_url: picture })).status).toBe(200);
    await refused(() => film({ first_frame_url: "ftp://example.org/a.png" }), 400, "invalid_value", "first_frame_url");
  });
  test("reference_images: up to 4, for the 2.0 models", async () => {
    const model = "super-relay-2";
    expect((await quoteOf({ model, reference_images: [picture, picture, picture, picture] })).status).toBe(200);
    await refused(
      () => film({ model, duration: 5, reference_images: Array(5).fill(picture) }),
      400,
      "unsupported_value",
      "reference_images",
    );
    await refused(() => film({ reference_images: [picture] }), 400, "unsupported_value", "reference_images");
  });
  test("generate_audio: default false; on the 2.0 models", async () => {
    expect((await quoteOf({ model: "super-relay-2" })).json.normalized).toMatchObject({ generate_audio: false });
    expect((await quoteOf({ model: "super-relay-2", generate_audio: true })).json.normalized).toMatchObject({ generate_audio: true });
    await refused(() => film({ generate_audio: true }), 400, "unsupported_value", "generate_audio");
  });
});

test("video response: video_url, duration, resolution, model", async () => {
  const { json } = await film({ model: "super-relay", ratio: "1:1" });
  expect(json).toMatchObject({ duration: 3, resolution: "480p", model: "super-relay" });
  const { pathname, search } = new URL(json.video_url as string);
  expect((await relay.fetch(pathname + search)).headers.get("content-type")).toBe("video/mp4");
});

describe("video models", () => {
  test.each([
    ["Super-Relay", "super-relay", 3, 0],
    ["Super-RelayFast", "super-relay-fast", 3, 0],
    ["Super-Relay1.5", "super-relay-1.5", 5, 0],
    ["Super-Relay2.0", "super-relay-2", 5, 4],
    ["Super-Relay2.0Fast", "super-relay-2-fast", 5, 4],
    ["Super-Relay2.5", "super-relay-2.5", 5, 4],
  ] as const)("%s: alias %s, at least %i s, %i references", async (id, alias, least, references) => {
    const [byId, byAlias] = [await quoteOf({ model: id, duration: 1 }), await quoteOf({ model: alias, duration: 1 })];
    expect(byId.json.normalized).toMatchObject({ duration: least });
    expect(byAlias.json).toEqual(byId.json);
    expect((await quoteOf({ model: id, reference_images: [picture] })).status).toBe(references > 0 ? 200 : 400);
  });
});

describe("video task", () => {
  test("model: required", () =>
    refused(
      () => post("/v1/contents/generations/tasks", { content: [{ type: "text", text: "x" }] }),
      400,
      "missing_required_parameter",
      "model",
    ));
  test("content: required", () =>
    refused(() => post("/v1/contents/generations/tasks", { model: "super-relay" }), 400, "missing_required_parameter", "content"));
  test("text item: flags --resolution, --duration, --ratio at its end", async () => {
    const { json } = await submit("a fox --resolution 480p --duration 4 --ratio 1:1");
    const task = await ended(json.id);
    const tokens = videoTokens(videoSize("first", "480p", "1:1"), 4);
    expect(task).toMatchObject({ resolution: "480p", duration: 4, ratio: "1:1", usage: { completion_tokens: tokens } });
  });
  test("first frame image item", async () => {
    const item = { type: "image_url", image_url: { url: picture }, role: "first_frame" };
    expect((await submit("a fox --rs 480p --dur 3", [item])).status).toBe(200);
  });
  test("submit answers id and model; poll answers status and content.video_url", async () => {
    const { json } = await submit("a fox --rs 480p --dur 3");
    expect(json).toMatchObject({ id: expect.stringMatching(/^cgt-/), model: "super-relay" });
    expect(await ended(json.id)).toMatchObject({ status: "succeeded", content: { video_url: expect.stringContaining("/v1/media/") } });
  });
});

describe("image request and response", () => {
  test("model: either name", async () => {
    for (const model of ["Super-Relay-Image", "super-relay-img"]) expect((await image({ model })).json).toMatchObject({ model });
  });
  test("prompt: required", () => refused(() => image({ prompt: undefined }), 400, "missing_required_parameter", "prompt"));
  test("ratio: stands in place of size", async () => {
    const { json } = await image({ size: undefined, ratio: "9:16" });
    expect(json).toMatchObject({ data: [{ size: "1440x2560" }], usage: { output_tokens: 14_400 } });
  });
  test("size: width x height", async () => {
    expect((await image({ size: "640x512" })).json).toMatchObject({ data: [{ size: "640x512" }], usage: { output_tokens: 1280 } });
    await refused(() => image({ size: "100x100" }), 400, "unsupported_value", "size");
  });
  test("image: one as a string, several as an array, up to 4", async () => {
    for (const given of [picture, [picture, picture]]) expect((await image({ image: given })).status).toBe(200);
    await refused(() => image({ image: Array(5).fill(picture) }), 400, "unsupported_value", "image");
  });
  test("n: a value above 1 is 400, without charge", () => refused(() => image({ n: 2 }), 400, "n_not_supported", "n"));
  test("response: model, data[0].url, usage.generated_images and usage.output_tokens", async () => {
    const { json } = await image({});
    expect(json).toMatchObject({ model: "super-relay-img", usage: { generated_images: 1, output_tokens: 1024 } });
    expect(json.data).toEqual([{ url: expect.stringContaining("/v1/media/"), size: "512x512" }]);
  });
});

test("succeeded: the poll carries the video, and the task is settled once", async () => {
  const known = (await relay.ends()).length;
  const { json } = await submit("a fox --rs 480p --dur 3");
  await ended(json.id);
  await Promise.all(Array.from({ length: 10 }, () => ended(json.id)));
  expect((await relay.ends()).slice(known)).toMatchObject([{ outcome: "settled" }]);
});

describe("endpoints, all with the key in the Authorization header", () => {
  test.each([
    ["POST", "/v1/chat/completions"],
    ["POST", "/v1/videos/generations"],
    ["POST", "/v1/contents/generations/tasks"],
    ["GET", "/v1/contents/generations/tasks/cgt-0"],
    ["POST", "/v1/images/generations"],
    ["GET", "/v1/models"],
  ])("%s %s", async (method, path) => {
    const body = method === "POST" ? { body: "{}" } : {};
    expect((await relay.send(path, { method, ...body, headers: { authorization: "Bearer sk-rly-wrong" } })).status).toBe(401);
    expect([200, 400, 404]).toContain((await relay.send(path, { method, ...body })).status);
  });
});

describe("errors", () => {
  test("image with n above 1: 400, no charge", () => refused(() => image({ n: 4 }), 400, "n_not_supported", "n"));
  test("a request that fails upstream is not charged", async () => {
    await refused(() => chat({ messages: [{ role: "user", content: "[[fail]]" }] }), 502, "upstream_failed", null);
    await refused(() => film({ prompt: "[[fail]]" }), 502, "upstream_failed", null);
    await refused(() => image({ prompt: "[[fail]]" }), 502, "upstream_failed", null);
  });
  test("duration below the minimum: raised, not refused", async () => {
    expect((await film({ duration: 1 })).json).toMatchObject({ duration: 3 });
  });
  test("upstream concurrency exceeded: rejected at once, with the time to wait", async () => {
    const busy = await openTestRelay({ channels: [{ ...sandbox.channel, requestsPerSecond: 2 }] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => busy.chat()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
    const rejected = answers.find(({ status }) => status === 429);
    expect(rejected?.json.error).toMatchObject({ code: "upstream_concurrency_exceeded" });
    expect(Number(rejected?.headers.get("retry-after"))).toBeGreaterThan(0);
    await busy.close();
  });
  test("audio review fails: the whole task fails, without charge", async () => {
    const order = { model: "super-relay-2", prompt: "[[fail:audio]]", duration: 5, generate_audio: true };
    await refused(() => film(order), 502, "audio_review_failed", null);
  });
});

describe("limits", () => {
  test("requests per key: 60 a minute by default", async () => {
    const { principal } = relay.setting;
    relay.setting.principal = { ...principal, apiKeyId: "key_limited", rateSubject: "key_limited", requestsPerMinute: 60 };
    const statuses = await Promise.all(Array.from({ length: 61 }, async () => (await relay.send("/v1/models")).status));
    relay.setting.principal = principal;
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
  test("video link: 24 hours", async () => {
    const { json } = await film({});
    const seconds = Number(new URL(json.video_url as string).searchParams.get("expires")) - Date.now() / 1000;
    expect(Math.abs(seconds - 24 * 3600)).toBeLessThan(60);
  });
  test("image billing: pixels / 256, so 2048x2048 costs four times 1024x1024", async () => {
    const [small, large] = [await image({ size: "1024x1024" }), await image({ size: "2048x2048" })];
    expect(Number(large.headers.get("x-relay-points"))).toBe(4 * Number(small.headers.get("x-relay-points")));
  });
  test("video billing: output only", async () => {
    const known = (await relay.ends()).length;
    await film({ prompt: "a fox ".repeat(50) });
    expect((await relay.ends()).slice(known)).toMatchObject([{ input: 0, output: videoTokens(videoSize("first", "480p", "16:9"), 3) }]);
  });
});
