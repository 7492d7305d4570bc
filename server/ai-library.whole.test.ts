/**
 * The unmodified `ai` package and its providers from npm, against the running server, the sandbox,
 * and an upstream that fails now and then.
 */
import { type ByteDanceVideoProviderOptions, createByteDance } from "@ai-sdk/bytedance";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage, experimental_generateVideo as generateVideo, RetryError } from "ai";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { serveFind } from "@/testing/stage/serve-find";
import { type InjectedFault, startFaultyProxy } from "@/testing/upstream/faulty-proxy";

/** The requests that clients sent to the server, as `POST /v1/…`. */
let asked: string[] = [];

const sandbox = await startQuickSandbox();
const proxy = await startFaultyProxy(sandbox.channel);
const web = await serveFind((method, path) => {
  asked.push(`${method} ${path}`);
  return relay.find(method, path);
});
const origin = web.origin;
const relay = await openTestRelay({
  channels: [proxy.channel],
  points: "100000",
  publicUrl: origin,
  keepsVideos: true,
});
const worker = createVideoWorker(relay.video);
worker.start();
beforeEach(() => {
  asked = [];
  proxy.faultFor = () => null;
});
afterAll(async () => {
  await worker.stop(2000);
  await web.close();
  await relay.close();
  await Promise.all([proxy.close(), sandbox.close()]);
});

const compatible = () =>
  createOpenAICompatible({
    name: "relay",
    apiKey: "good",
    baseURL: `${origin}/v1`,
    includeUsage: true,
  });
const bytedance = () => createByteDance({ apiKey: "good", baseURL: `${origin}/v1` });
/**
 * Downloads the file as an application would: the package itself refuses addresses of this machine.
 */
const download = async ({ url }: { url: URL }) => {
  const answer = await fetch(url);
  return {
    data: new Uint8Array(await answer.arrayBuffer()),
    mediaType: answer.headers.get("content-type") ?? undefined,
  };
};
/**
 * Seldom enough that all tests together stay under the 600 requests a minute of their key, on a
 * slow machine too.
 */
const options: ByteDanceVideoProviderOptions = { pollIntervalMs: 150, pollTimeoutMs: 20_000 };
const makeVideo = (prompt: string, more: object = {}) =>
  generateVideo({
    model: bytedance().video("super-relay-2"),
    prompt,
    aspectRatio: "16:9",
    duration: 5,
    providerOptions: { bytedance: { ...options, resolution: "480p" } as never },
    download,
    ...more,
  });

/** The failures of the next requests whose method and path match, in order; later ones succeed. */
function injectFaults(pattern: RegExp, ...list: InjectedFault[]): void {
  const left = [...list];
  proxy.faultFor = (method, path) =>
    pattern.test(`${method} ${path}`) ? (left.shift() ?? null) : null;
}

const settledSince = async (known: number) =>
  (await relay.ends()).slice(known).filter(({ outcome }) => outcome === "settled");

test("an image has the format that the package asks for", async () => {
  const { image } = await generateImage({
    model: compatible().imageModel("super-relay-img"),
    prompt: "a fox",
    size: "1024x1024",
  });
  expect(Buffer.from(image.uint8Array).toString("latin1", 1, 4)).toBe("PNG");
  const other = await generateImage({
    model: bytedance().image("super-relay-img"),
    prompt: "a fox",
    size: "1024x512",
  });
  expect(Buffer.from(other.image.uint8Array).readUInt32BE(16)).toBe(1024);
});

test("a video arrives as a playable file, for one task and one charge", async () => {
  const known = (await relay.ends()).length;
  const { seen } = sandbox.requestLog;
  const { video } = await makeVideo("a lighthouse");
  expect(video.mediaType).toBe("video/mp4");
  expect(Buffer.from(video.uint8Array).toString("latin1", 4, 8)).toBe("ftyp");
  expect(sandbox.requestLog.seen).toBe(seen + 1);
  expect(await settledSince(known)).toMatchObject([{ output: 50_639 }]);
});

const faults: readonly (readonly [name: string, list: readonly InjectedFault[]])[] = [
  ["all of them", [429, "cut", 500, "cut", 503]],
  ["429", [429, 429, 429]],
  ["500", [500, 500]],
  ["503", [503]],
  ["cut connections", ["cut", "cut", "cut"]],
];

test.each(faults)("polls that meet %s upstream order no second video", async (_name, list) => {
  const known = (await relay.ends()).length;
  const { seen } = sandbox.requestLog;
  injectFaults(/^GET .*tasks\//, ...list);
  const { video } = await makeVideo("a lighthouse");
  expect(video.uint8Array.length).toBeGreaterThan(1000);
  expect(sandbox.requestLog.seen).toBe(seen + 1);
  expect(asked.filter((line) => line.startsWith("POST"))).toHaveLength(1);
  expect(await settledSince(known)).toHaveLength(1);
});

test("downloads that fail upstream are retried, for one charge", async () => {
  const known = (await relay.ends()).length;
  injectFaults(/^GET \/results\//, "cut", 500);
  const { video } = await makeVideo("a lighthouse");
  expect(Buffer.from(video.uint8Array).toString("latin1", 4, 8)).toBe("ftyp");
  expect(await settledSince(known)).toHaveLength(1);
});

test("an order that a busy upstream refused is repeated by the package, and charged once", async () => {
  const known = (await relay.ends()).length;
  const { seen } = sandbox.requestLog;
  injectFaults(/^POST .*tasks$/, 429);
  await makeVideo("a lighthouse");
  expect(asked.filter((line) => line.startsWith("POST"))).toHaveLength(2);
  expect(sandbox.requestLog.seen).toBe(seen + 1);
  expect(await settledSince(known)).toHaveLength(1);
}, 20_000);

test("an order with an idempotency key is charged once, however often our answer is lost", async () => {
  const known = (await relay.ends()).length;
  const { seen } = sandbox.requestLog;
  let lost = 2;
  const losing: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (init?.method !== "POST" || lost-- <= 0) return answer;
    await answer.text();
    throw new TypeError("fetch failed", { cause: new Error("the connection was cut") });
  };
  const model = createByteDance({ apiKey: "good", baseURL: `${origin}/v1`, fetch: losing }).video(
    "super-relay-2",
  );
  const { video } = await makeVideo("a lighthouse", {
    model,
    headers: { "idempotency-key": "aisdk_vid_1" },
  });
  expect(video.uint8Array.length).toBeGreaterThan(1000);
  expect(asked.filter((line) => line.startsWith("POST"))).toHaveLength(3);
  expect(sandbox.requestLog.seen).toBe(seen + 1);
  expect(await settledSince(known)).toHaveLength(1);
}, 30_000);

test("a failed video is an error, ordered once by us and not charged", async () => {
  const before = await relay.balance();
  const failed = await makeVideo("[[fail]]", { maxRetries: 0 }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed).not.toBeInstanceOf(RetryError);
  expect(await relay.balance()).toEqual(before);
});
