/** Tests video tasks against scripted upstreams over real HTTP. */
import { afterEach, expect, test } from "vitest";
import {
  type Script,
  sendJson,
  startUpstream,
  type TestUpstream,
} from "@/testing/upstream/test-upstream";
import { videoOrder as order } from "@/testing/upstream/video-order";
import { withoutSaid } from "@/testing/upstream/without-said";
import type { VideoProvider } from "../media-provider";
import type { Providers } from "../providers";
import { createProviders } from "../wiring/create-providers";

let upstream: TestUpstream | undefined;
let providers: Providers | undefined;
afterEach(async () => {
  await providers?.close();
  await upstream?.close();
});

async function speaking(script: Script): Promise<{ video: VideoProvider; upstream: TestUpstream }> {
  upstream = await startUpstream(script);
  providers = createProviders();
  return { video: providers.video, upstream };
}
const ark = (overrides = {}) => {
  const models = { "Super-Relay2.0": "their-video-2" };
  return (upstream as TestUpstream).channel({
    protocol: "ark",
    baseUrl: `${upstream?.url}/api/v3`,
    models,
    ...overrides,
  });
};

const task = (extra: object) =>
  JSON.stringify({ id: "cgt-1", model: "m", created_at: 1, updated_at: 2, ...extra });
const done = { status: "succeeded", content: { video_url: "https://results.example.org/v.mp4" } };

test("every parameter that affects price or result is sent, even with its default value", async () => {
  const { video, upstream: up } = await speaking((response) =>
    sendJson(response, '{"id":"cgt-77"}'),
  );
  expect(await video.submit(ark(), order)).toEqual({ isOk: true, upstreamRef: "cgt-77" });
  expect(up.seen[0]).toMatchObject({
    method: "POST",
    path: "/api/v3/contents/generations/tasks",
    headers: {
      authorization: "Bearer upstream-secret",
      "x-client-request-id": "cgt-ours",
      "idempotency-key": "cgt-ours",
    },
  });
  const fixed = {
    resolution: "720p",
    ratio: "16:9",
    duration: 5,
    generate_audio: false,
    watermark: false,
  };
  expect(up.seen[0]?.body).toEqual({
    model: "their-video-2",
    content: [{ type: "text", text: "A lighthouse" }],
    ...fixed,
  });
});

test("frames and references are sent with their roles, and seed and camera only when set", async () => {
  const { video, upstream: up } = await speaking((response) => sendJson(response, '{"id":"a"}'));
  await video.submit(ark(), {
    ...order,
    prompt: "",
    seed: 0,
    cameraFixed: false,
    firstFrameUrl: "https://a.example/1.png",
    lastFrameUrl: "https://a.example/9.png",
  });
  await video.submit(ark(), {
    ...order,
    referenceImageUrls: ["https://a.example/2.png", "data:image/png;base64,AA=="],
  });
  const image = (url: string, role: string) => ({ type: "image_url", image_url: { url }, role });
  expect(up.seen[0]?.body).toMatchObject({
    content: [
      image("https://a.example/1.png", "first_frame"),
      image("https://a.example/9.png", "last_frame"),
    ],
    seed: 0,
    camera_fixed: false,
  });
  const references = [
    image("https://a.example/2.png", "reference_image"),
    image("data:image/png;base64,AA==", "reference_image"),
  ];
  expect(up.seen[1]?.body).toMatchObject({ content: [{ type: "text" }, ...references] });
});

test.each([
  ["queued", "queued"],
  ["pending", "queued"],
  ["SUBMITTED", "queued"],
  ["running", "running"],
  ["processing", "running"],
  ["in_progress", "running"],
  ["a-status-of-next-year", "running"],
  ["constructor", "running"],
  ["failed", "failed"],
  ["FAILURE", "failed"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["expired", "expired"],
] as const)("a task that is %s upstream is %s", async (theirs, ours) => {
  const { video } = await speaking((response) => sendJson(response, task({ status: theirs })));
  expect(await video.read(ark(), "cgt-1")).toMatchObject({ isOk: true, state: { status: ours } });
});

test.each(["succeeded", "success", "completed", "SUCCEEDED"])(
  "a task that is %s has its video, its tokens and its facts",
  async (status) => {
    const usage = { completion_tokens: 108_900, total_tokens: 108_900 };
    const facts = { resolution: "720p", ratio: "16:9", duration: 5, framespersecond: 24, seed: 11 };
    const { video, upstream: up } = await speaking((response) =>
      sendJson(response, task({ ...done, status, usage, ...facts })),
    );
    const expected = {
      resolution: "720p",
      ratio: "16:9",
      durationSeconds: 5,
      framesPerSecond: 24,
      seed: 11,
    };
    expect(await video.read(ark(), "cgt-1")).toEqual({
      isOk: true,
      state: {
        status: "succeeded",
        videoUrl: "https://results.example.org/v.mp4",
        outputTokens: 108_900,
        usageFault: null,
        reported: usage,
        facts: expected,
      },
    });
    expect(up.seen[0]).toMatchObject({
      method: "GET",
      path: "/api/v3/contents/generations/tasks/cgt-1",
    });
  },
);

test.each([
  [undefined, "missing"],
  [null, "missing"],
  [{}, "missing"],
  ["108900", "absurd"],
  [{ completion_tokens: "108900" }, "absurd"],
  [{ completion_tokens: -1 }, "absurd"],
  [{ completion_tokens: 0 }, "absurd"],
  [{ completion_tokens: 1.5 }, "absurd"],
  [{ completion_tokens: 1e15 }, "absurd"],
])("usage %j is %s, never corrected", async (usage, fault) => {
  const { video } = await speaking((response) => sendJson(response, task({ ...done, usage })));
  expect(await video.read(ark(), "cgt-1")).toMatchObject({
    state: { status: "succeeded", outputTokens: null, usageFault: fault },
  });
});

test.each([
  ["OutputAudioSensitiveContentDetected.PolicyViolation", "audio_review_failed"],
  ["audio_review_failed", "audio_review_failed"],
  ["OutputVideoSensitiveContentDetected", "content_rejected"],
  ["OutputImageSensitiveContentDetected.DeepFake", "content_rejected"],
  ["InputAudioSensitiveContentDetected", "content_rejected"],
  ["InputTextRiskDetection", "content_rejected"],
  ["content_rejected", "content_rejected"],
  ["InvalidParameter.image", "invalid_value"],
  ["InvalidImageURL.Timeout", "invalid_image"],
  ["InvalidParameter.watermark", "upstream_failed"],
  ["AccountOverdueError", "upstream_failed"],
  ["InternalServiceError", "upstream_failed"],
] as const)(
  "a task that failed with %s is %s, and the upstream's text is only told to operators",
  async (code, expected) => {
    const error = { code, message: "secret prompt text. Request ID: 7c1f" };
    const { video } = await speaking((response) =>
      sendJson(response, task({ status: "failed", error })),
    );
    const result = await video.read(ark(), "cgt-1");
    expect(result).toMatchObject({ state: { status: "failed", code: expected } });
    expect(withoutSaid(result)).not.toContain("secret prompt");
    expect(JSON.stringify(result)).toContain(code);
  },
);

test("a finished task without a usable video, and a body that is not a task, are bad answers", async () => {
  const bodies = [
    task({ status: "succeeded" }),
    task({ ...done, content: { video_url: "file:///etc/passwd" } }),
    "{}",
    "[]",
    "<html>",
  ];
  const { video } = await speaking((response, _, count) =>
    sendJson(response, bodies[count - 1] as string),
  );
  for (const _ of bodies) {
    const result = await video.read(ark(), "cgt-1");
    expect(result).toMatchObject({
      isOk: false,
      isGone: false,
      failure: { code: "upstream_bad_response", isOperatorFault: false },
    });
  }
});

test("only the upstream's explicit answer makes a task gone", async () => {
  const answers = [
    [404, '{"error":{"code":"NotFound","message":"x"}}', true],
    [404, '{"error":{"code":"task_not_found"}}', true],
    [404, "<html>no such page</html>", false],
    [404, '{"error":{"code":"InvalidEndpointOrModel.NotFound"}}', false],
    [404, '{"error":{"code":"route_not_found"}}', false],
    [500, '{"error":{"code":"NotFound"}}', false],
  ] as const;
  const { video } = await speaking((response, _, count) =>
    sendJson(response, answers[count - 1]?.[1] ?? "", answers[count - 1]?.[0]),
  );
  for (const [, , isGone] of answers)
    expect(await video.read(ark(), "cgt-1")).toMatchObject({ isOk: false, isGone });
});

test("an id that could lead to another path is refused, as is an answer without one", async () => {
  const bodies = ['{"id":"../../files"}', '{"id":".."}', '{"id":7}', '{"id":""}', "{}", ""];
  const { video } = await speaking((response, _, count) =>
    sendJson(response, bodies[count - 1] as string),
  );
  for (const _ of bodies) {
    const expected = { code: "upstream_bad_response", mayHaveCost: true, isSurelyFree: false };
    expect(await video.submit(ark(), order)).toMatchObject({ isOk: false, failure: expected });
  }
});

test("a queued task is cancelled, a running one is not touched, and a finished one keeps its record", async () => {
  const state = { now: "queued" };
  const { video, upstream: up } = await speaking((response, { method }) => {
    if (method === "DELETE") state.now = "cancelled";
    sendJson(response, method === "DELETE" ? "{}" : task({ ...done, status: state.now }));
  });
  const deletes = () => up.seen.filter(({ method }) => method === "DELETE").length;
  expect(await video.cancel(ark(), "cgt-1")).toBe("cancelled");
  expect(await video.cancel(ark(), "cgt-1")).toBe("cancelled");
  state.now = "running";
  expect(await video.cancel(ark(), "cgt-1")).toBe("running");
  state.now = "succeeded";
  expect(await video.cancel(ark(), "cgt-1")).toBe("ended");
  expect(deletes()).toBe(1);
});

test("a cancel counts only when the upstream confirms it", async () => {
  const script = { delete: 200, after: "queued", status: 200 };
  let deleted = false;
  const { video } = await speaking((response, { method }) => {
    if (method === "DELETE") {
      deleted = true;
      sendJson(
        response,
        script.delete === 200 ? "{}" : '{"error":{"code":"InvalidAction"}}',
        script.delete,
      );
    } else if (deleted && script.status !== 200)
      sendJson(response, '{"error":{"code":"NotFound"}}', script.status);
    else sendJson(response, task({ status: deleted ? script.after : "queued" }));
  });
  const cancel = () => {
    deleted = false;
    return video.cancel(ark(), "cgt-1");
  };
  expect(await cancel()).toBe("unknown");
  Object.assign(script, { after: "running", delete: 409 });
  expect(await cancel()).toBe("running");
  Object.assign(script, { status: 404, delete: 200 });
  expect(await cancel()).toBe("cancelled");
  Object.assign(script, { status: 500 });
  expect(await cancel()).toBe("unknown");
});

test("a channel without video fails without a request", async () => {
  const { video, upstream: up } = await speaking((response) => sendJson(response, "{}"));
  const channel = ark({ protocol: "anthropic" });
  expect(await video.submit(channel, order)).toMatchObject({
    failure: { code: "no_channel_available", isSurelyFree: true },
  });
  expect(up.seen).toEqual([]);
});
