/**
 * Orders of videos and images in the forms of other APIs, generated from their schemas and damaged
 * here and there.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { type Known, sendBodies } from "@/testing/relay/bodies-of-schema";
import { startImageUpstream } from "@/testing/relay/images";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { videoClient } from "@/testing/relay/video-client";
import type { TestUpstream } from "@/testing/upstream/test-upstream";
import {
  startVideoUpstream,
  succeeded,
  type VideoUpstream,
} from "@/testing/upstream/video-upstream";
import { endpoints } from "../contract/endpoints";
import { failureBody } from "../contract/failure-body";

const BODIES = extent(240, 10_000);

let images: TestUpstream;
let videos: VideoUpstream;
let relay: TestRelay;
const client = videoClient(() => relay);

beforeAll(async () => {
  images = await startImageUpstream();
  videos = await startVideoUpstream();
  videos.script.state = () => succeeded(1000);
  relay = await openTestRelay({
    channels: [{ ...videos.channel, models: { "Super-Relay2.0": "their-video" } }],
    points: "10000000",
  });
});
afterAll(async () => {
  expect(await client.close()).toEqual([]);
  await Promise.all([images.close(), videos.close()]);
});

const prompt = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const model = (name: string, other: string) =>
  fc.oneof(
    { weight: 60, arbitrary: fc.constant(name) },
    { weight: 1, arbitrary: fc.constant(other) },
  );

/** Of what a model does not offer mostly the values that change nothing. */
const unchanged = (values: Readonly<Record<string, unknown>>): Known =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)]));

const address = fc.constantFrom(
  "https://pictures.example/fox.png",
  `data:image/png;base64,${"A".repeat(64)}`,
);
const cases: readonly { name: "createImageEdit" | "createVideoJob"; known: Known }[] = [
  {
    name: "createImageEdit",
    known: {
      prompt,
      model: model("super-relay-img", "relay-v1"),
      size: fc.constantFrom("512x512", "512x768", "auto", "9x9"),
      ratio: fc.constantFrom("1:1", "16:9", "7:1"),
      image: fc.oneof(address, fc.array(address, { minLength: 1, maxLength: 5 })),
      ...unchanged({
        ...{ n: 1, tools: [], layer_decomposition: false, input_fidelity: "low", style: null },
        ...{ mask: null, markup: null, complexity: null, optimize_prompt: null },
        ...{ guidance_scale: null, partial_images: null, frame_count: null },
        ...{ frame_duration_ms: null, callback_states: null, sequential_image_generation: null },
      }),
    },
  },
  {
    name: "createVideoJob",
    known: {
      prompt,
      model: model("super-relay-2", "super-relay-img"),
      size: fc.constantFrom("1280x720", "720x1280", "7x7"),
      seconds: fc.constantFrom("5", 5, "8", 12, "99", 0),
      input_reference: fc.oneof(address, fc.record({ image_url: address })),
      ...unchanged({
        ...{ draft: false, frames: null, priority: 0, tools: [], output_format: "mp4" },
        ...{ service_tier: "auto", omni_reference_task_type: null, draft_task_id: null },
        ...{ reference_images: [], reference_videos: [], reference_audios: [] },
        ...{ first_frame_url: null, last_frame_url: null },
      }),
      callback_url: fc.constant("https://callback.example/"),
    },
  },
];

test.each(cases)(
  "$name: bodies of its schema get 4xx in its own form or are served, and no hold stays open",
  { timeout: 900_000 },
  async ({ name, known }) => {
    const { path, request: schema } = endpoints[name];
    relay.setting.channels = [name === "createVideoJob" ? videos.channel : images.channel()];
    client.work();
    await sendBodies(relay, { path, schema, known, failure: failureBody, total: BODIES });
    expect((await relay.ends()).every(({ outcome }) => outcome === "settled")).toBe(true);
  },
);
