/** Tests the Videos API against scripted upstreams over real HTTP. */
import { afterEach, expect, test } from "vitest";
import {
  type Script,
  sendJson,
  startUpstream,
  type TestUpstream,
} from "@/testing/upstream/test-upstream";
import { videoOrder as order } from "@/testing/upstream/video-order";
import { withoutSaid } from "@/testing/upstream/without-said";
import type { Providers } from "../providers";
import { createProviders } from "../wiring/create-providers";

let upstream: TestUpstream;
let providers: Providers;
afterEach(async () => {
  await providers.close();
  await upstream.close();
});

async function speaking(script: Script) {
  upstream = await startUpstream(script);
  providers = createProviders();
  const models = { "Super-Relay2.0": "sora-2", "Super-Relay": "first" };
  const channel = upstream.channel({ models });
  return { video: providers.video, channel, seen: upstream.seen };
}
const job = (extra: object) => JSON.stringify({ id: "video_1", object: "video", ...extra });

test("an order has the model, the prompt, the seconds as text, and a size of the API", async () => {
  const { video, channel, seen } = await speaking((response) => sendJson(response, job({})));
  expect(await video.submit(channel, order)).toEqual({ isOk: true, upstreamRef: "video_1" });
  expect(seen[0]).toMatchObject({
    method: "POST",
    path: "/v1/videos",
    headers: { authorization: "Bearer upstream-secret", "idempotency-key": "cgt-ours" },
  });
  expect(seen[0]?.body).toEqual({
    model: "sora-2",
    prompt: "A lighthouse",
    seconds: "5",
    size: "1280x720",
  });
});

test.each([
  ["720p", "9:16", "720x1280"],
  ["1080p", "16:9", "1792x1024"],
  ["480p", "1:1", "640x640"],
  ["720p", "adaptive", "1280x720"],
] as const)("%s %s is ordered as %s", async (resolution, ratio, size) => {
  const { video, channel, seen } = await speaking((response) => sendJson(response, job({})));
  await video.submit(channel, { ...order, model: "Super-Relay", resolution, ratio });
  expect(seen[0]?.body).toMatchObject({ model: "first", size });
});

test("one picture is the reference; an order that the API has no field for is not sent", async () => {
  const { video, channel, seen } = await speaking((response) => sendJson(response, job({})));
  const url = "https://a.example/1.png";
  await video.submit(channel, { ...order, firstFrameUrl: url });
  await video.submit(channel, { ...order, referenceImageUrls: [url] });
  expect(seen.map(({ body }) => body.input_reference)).toEqual(Array(2).fill({ image_url: url }));
  const unsuited = [
    [{ referenceImageUrls: [url, url] }, "reference_images"],
    [{ firstFrameUrl: url, referenceImageUrls: [url] }, "reference_images"],
    [{ firstFrameUrl: url, lastFrameUrl: url }, "last_frame"],
    [{ seed: 0 }, "seed"],
    [{ cameraFixed: true }, "camera_fixed"],
    [{ watermark: true }, "watermark"],
  ] as const;
  for (const [extra, param] of unsuited)
    expect(await video.submit(channel, { ...order, ...extra })).toMatchObject({
      failure: { code: "invalid_value", param, isSurelyFree: true, isOperatorFault: false },
    });
  expect(seen).toHaveLength(2);
});

test.each([
  ["queued", "queued"],
  ["in_progress", "running"],
  ["completed", "succeeded"],
  ["failed", "failed"],
  ["a-status-of-next-year", "running"],
  ["constructor", "running"],
])("a video that is %s upstream is %s", async (theirs, ours) => {
  const { video, channel, seen } = await speaking((response) =>
    sendJson(response, job({ status: theirs })),
  );
  expect(await video.read(channel, "video_1")).toMatchObject({ state: { status: ours } });
  expect(seen[0]).toMatchObject({ method: "GET", path: "/v1/videos/video_1" });
});

test.each([
  [{ size: "720x1280", seconds: "8" }, [720, 1280], "720p", "9:16", 8],
  [{ size: "1792x1024", seconds: 4 }, [1792, 1024], "1080p", "16:9", 4],
  [{ size: "1344x768", seconds: "4.5" }, [1344, 768], null, null, 4.5],
  [{ size: "99999x99999", seconds: "1e9" }, null, null, null, null],
  [{ size: "9000x16", seconds: "-4" }, null, null, null, null],
  [{ size: "constructor", seconds: {} }, null, null, null, null],
  [{}, null, null, null, null],
])("a completed video of %j has its size, and no count", async (told, pixels, tier, ratio, s) => {
  const { video, channel } = await speaking((response) =>
    sendJson(response, job({ status: "completed", usage: { output_tokens: 9 }, ...told })),
  );
  const facts = { resolution: tier, ratio, durationSeconds: s, framesPerSecond: null, seed: null };
  expect(await video.read(channel, "video_1")).toEqual({
    isOk: true,
    state: {
      status: "succeeded",
      videoUrl: `${upstream.url}/v1/videos/video_1/content`,
      thumbnailUrl: `${upstream.url}/v1/videos/video_1/content?variant=thumbnail`,
      needsCredential: true,
      outputTokens: null,
      usageFault: null,
      reported: null,
      pixels,
      facts,
    },
  });
});

test.each([
  ["moderation_blocked", "content_rejected"],
  ["content_policy_violation", "content_rejected"],
  ["invalid_value", "invalid_value"],
  ["video_generation_failed", "upstream_failed"],
  [undefined, "upstream_failed"],
])(
  "a video that failed with %s is %s, and the upstream's text is only told to operators",
  async (code, ours) => {
    const error = { code, message: "secret prompt text" };
    const { video, channel } = await speaking((response) =>
      sendJson(response, job({ status: "failed", error })),
    );
    const result = await video.read(channel, "video_1");
    expect(result).toMatchObject({ state: { status: "failed", code: ours } });
    expect(withoutSaid(result)).not.toContain("secret prompt");
  },
);

test("an answer that is no video, and an id that leads elsewhere, are bad answers", async () => {
  const bodies = ["{}", "[]", "<html>", '{"id":"../files"}', '{"id":7}', ""];
  const { video, channel } = await speaking((response, _, count) =>
    sendJson(response, bodies[(count - 1) % bodies.length] ?? ""),
  );
  const failure = { code: "upstream_bad_response", isOperatorFault: false };
  for (const _ of bodies)
    expect(await video.read(channel, "a")).toMatchObject({ isOk: false, isGone: false, failure });
  for (const _ of bodies)
    expect(await video.submit(channel, order)).toMatchObject({
      isOk: false,
      failure: { ...failure, mayHaveCost: true, isSurelyFree: false },
    });
});

test("a video is gone when the upstream says so, with a code or only a type", async () => {
  const answers = [
    [404, '{"error":{"message":"x","type":"invalid_request_error","code":null}}', true],
    [404, '{"error":{"code":"not_found"}}', true],
    [404, '{"error":{"type":"invalid_request_error","code":"model_not_found"}}', false],
    [404, "<html>no such page</html>", false],
    [500, '{"error":{"type":"server_error"}}', false],
  ] as const;
  const { video, channel } = await speaking((response, _, count) =>
    sendJson(response, answers[count - 1]?.[1] ?? "", answers[count - 1]?.[0]),
  );
  for (const [, , isGone] of answers)
    expect(await video.read(channel, "video_1")).toMatchObject({ isOk: false, isGone });
});

test("a queued video is deleted; one that runs or is complete stays", async () => {
  const state = { now: "queued" };
  const { video, channel, seen } = await speaking((response, { method }) => {
    if (method === "DELETE") state.now = "gone";
    const isGone = state.now === "gone" && method === "GET";
    if (isGone) sendJson(response, '{"error":{"type":"invalid_request_error"}}', 404);
    else sendJson(response, job({ status: state.now, deleted: true }));
  });
  expect(await video.cancel(channel, "video_1")).toBe("cancelled");
  state.now = "in_progress";
  expect(await video.cancel(channel, "video_1")).toBe("running");
  state.now = "completed";
  expect(await video.cancel(channel, "video_1")).toBe("ended");
  expect(seen.filter(({ method }) => method === "DELETE")).toHaveLength(1);
});
