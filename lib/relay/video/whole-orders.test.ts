/** Every field of an order, from the client to the upstream and back, at its price. */
import { createByteDance } from "@ai-sdk/bytedance";
import { experimental_generateVideo as generateVideo } from "ai";
import { afterAll, expect, test } from "vitest";
import { TASKS } from "@/testing/relay/video-client";
import {
  file,
  framed,
  image,
  model,
  sound,
  startWholeStage,
  text,
  video,
  type WholeStage,
  whole,
} from "@/testing/relay/whole-stage";
import { failed, succeeded } from "@/testing/upstream/video-upstream";

const stage = await startWholeStage();
const { upstream, other, relay, client } = stage;
afterAll(async () => expect(await stage.close()).toEqual([]));

const post: WholeStage["post"] = (...given) => stage.post(...given);
const order: WholeStage["order"] = (body) => stage.order(body);
const sent: WholeStage["sent"] = (...given) => stage.sent(...given);

test.each([whole, framed])("an order of %j reaches the upstream unchanged", async (body) => {
  const { status, json } = await order(body);
  expect([status, json.error]).toEqual([200, undefined]);
  expect(sent()).toEqual(body);
  const { content, model: _, duration, resolution, ratio, seed, ...echoed } = whole;
  if (body === whole) {
    const { watermark, camera_fixed, ...shown } = echoed;
    expect((await client.poll(json.id)).json).toMatchObject(shown);
  }
  await client.ended(json.id);
});

test("the single call takes the same as fields", async () => {
  const { content, ...fields } = whole;
  const call = {
    ...fields,
    prompt: "a boat",
    reference_images: [file("a.png")],
    reference_videos: [file("a.mp4")],
    reference_audios: ["asset://sound-1"],
  };
  expect((await post("/v1/videos/generations", call)).status).toBe(200);
  expect(sent()).toEqual({ content, ...fields });
});

test("the AI SDK's client sends every option of its types", async () => {
  const bytedance = createByteDance({
    apiKey: "good",
    baseURL: stage.url,
  });
  const { videos } = await generateVideo({
    model: bytedance.video(model),
    prompt: "a boat",
    aspectRatio: "21:9",
    resolution: "1280x720",
    duration: 4,
    seed: 5,
    download: async () => ({ data: new Uint8Array(1), mediaType: "video/mp4" }),
    providerOptions: {
      bytedance: {
        ...{ watermark: true, generateAudio: true, cameraFixed: false, returnLastFrame: true },
        ...{ serviceTier: "flex", draft: false, pollIntervalMs: 20, priority: 2 },
        referenceImages: [file("a.png")],
        referenceVideos: [file("a.mp4")],
        referenceAudio: [file("a.mp3")],
      },
    },
  });
  expect(videos).toHaveLength(1);
  expect(sent()).toEqual({
    model,
    content: [
      text,
      image("reference_image"),
      video,
      { type: "audio_url", audio_url: { url: file("a.mp3") }, role: "reference_audio" },
    ],
    ...{ ratio: "21:9", resolution: "720p", duration: 4, seed: 5, priority: 2 },
    ...{ watermark: true, generate_audio: true, camera_fixed: false },
    ...{ return_last_frame: true, service_tier: "flex", draft: false },
  });
});

test.each([
  ["default", 1000],
  ["flex", 500],
])("a flexible order that is served as %s costs that tier's rate", async (tier, points) => {
  upstream.script.state = () => succeeded(50_000, { service_tier: tier, resolution: "480p" });
  const body = { model, content: [text], resolution: "480p", service_tier: "flex" };
  const { json } = await order(body);
  expect(await client.ended(json.id)).toMatchObject({ status: "succeeded", service_tier: tier });
  const [end] = (await relay.ends()).slice(-1);
  expect(end?.amount).toBe(50_000 * points);
});

test("an answer has the last frame, the calls of tools and the prompt as it was changed", async () => {
  upstream.script.state = () => {
    const made = succeeded(60_000, { revised_prompt: "A small boat.", frames: 121 });
    const usage = { ...made.usage, tool_usage: { web_search: 2 } };
    const content = { ...made.content, last_frame_url: "http://results.test/last.png" };
    return { ...made, usage, content };
  };
  const { json } = await order({ ...whole, resolution: "720p", service_tier: "default" });
  const task = await client.ended(json.id);
  expect(task).toMatchObject({
    revised_prompt: "A small boat.",
    safety_identifier: "user-7",
    usage: { completion_tokens: 60_000, tool_usage: { web_search: 2 } },
    content: { last_frame_url: expect.stringContaining("/v1/media/media_last.png") },
  });
  const [end] = (await relay.ends()).slice(-1);
  expect(end?.amount).toBe(60_000 * (1100 + 7 + 31) + 2 * 2_000_000);
  await relay.send(`${TASKS}/${json.id}`, { method: "DELETE" });
  const { rows } = await relay.pool.query("select spec, facts from video_task where id = $1", [
    json.id,
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/user-7|small boat/);
});

test("a failure that the client can act on has the upstream's own code, another has not", async () => {
  for (const [code, shown] of [
    ["OutputVideoSensitiveContentDetected", "OutputVideoSensitiveContentDetected"],
    ["InternalServiceError", undefined],
    ["AccountOverdueError", undefined],
  ] as const) {
    upstream.script.state = () => failed(code);
    const { json } = await order({ model, content: [text] });
    const { error } = await client.ended(json.id);
    expect(error?.upstream_code).toBe(shown);
  }
  upstream.script.state = () => succeeded();
});

test("the final video of a draft is ordered where the draft was made, by its upstream's id", async () => {
  relay.setting.channels = [upstream.channel];
  const { json: draft } = await order({ model, content: [text], resolution: "480p", draft: true });
  await client.ended(draft.id);
  const made = upstream.tasks.at(-1)?.id;
  // The other channel would come first now.
  relay.setting.channels = [{ ...other.channel, priority: 9 }, upstream.channel];
  const known = other.tasks.length;
  const item = { type: "draft_task", draft_task: { id: draft.id } };
  const { json } = await order({ model, content: [item], resolution: "1080p" });
  expect(sent()).toEqual({
    model,
    content: [{ type: "draft_task", draft_task: { id: made } }],
    ...{ resolution: "1080p", watermark: false },
  });
  expect(await client.ended(json.id)).toMatchObject({ draft_task_id: draft.id });
  expect(other.tasks).toHaveLength(known);
  for (const id of [json.id, "cgt-other"]) {
    const content = [{ type: "draft_task", draft_task: { id } }];
    const refused = await order({ model, content });
    expect([refused.status, refused.json.error?.param]).toEqual([400, "draft_task"]);
    const quoted = await post("/v1/quote", { endpoint: "createVideoTask", model, content });
    expect(quoted.json.error).toEqual(refused.json.error);
  }
  relay.setting.channels = [upstream.channel, other.channel];
});

test.each([
  [{ service_tier: "flex" }, "service_tier"],
  [{ model: "super-relay-2", service_tier: "flex" }, "service_tier"],
  [{ draft: true }, "draft"],
  [{ priority: 1 }, "priority"],
  [{ frames: 58 }, "frames"],
  [{ model: "super-relay-2", frames: 121 }, "frames"],
  [{ model: "super-relay-2", tools: [{ type: "web_search" }] }, "tools"],
  [{ tools: [{ type: "web_search" }] }, "tools"],
  [{ output_format: "mov" }, "output_format"],
  [{ omni_reference_task_type: "edit" }, "omni_reference_task_type"],
  [{ duration: -1 }, "duration"],
  [{ ratio: "adaptive" }, "ratio"],
  [{ resolution: "4k" }, "resolution"],
  [{ execution_expires_after: 60 }, "execution_expires_after"],
  [{ content: [text, video] }, "content[1]"],
  [{ content: [text, sound] }, "content[1]"],
  [{ model: "super-relay-2", content: [text, sound] }, "content[1]"],
  [{ content: [text, { ...image("first_frame", "asset://a") }] }, "content"],
])(
  "%j is refused by name where there is no bound or no rate, and costs nothing",
  async (body, param) => {
    const [ends, orders] = [(await relay.ends()).length, upstream.tasks.length];
    const { status, json } = await order({ model: "super-relay", content: [text], ...body });
    expect([status, json.error?.param]).toEqual([400, param]);
    const { model: named = "super-relay" } = body as { model?: string };
    const quoted = await post("/v1/quote", {
      endpoint: "createVideoTask",
      ...{ model: named, content: [text], ...body },
    });
    expect(quoted.json.error).toEqual(json.error);
    expect([(await relay.ends()).length, upstream.tasks.length]).toEqual([ends, orders]);
    expect((await relay.balance()).held).toBe(0n);
  },
);
