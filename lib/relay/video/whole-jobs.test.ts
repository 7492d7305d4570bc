/** Orders of the Videos API with our fields, and orders whose input videos are measured. */
import OpenAI from "openai";
import { afterAll, expect, test } from "vitest";
import { sellModel } from "@/testing/relay/sold-model";
import {
  file,
  framed,
  model,
  startWholeStage,
  text,
  video,
  type WholeStage,
  whole,
} from "@/testing/relay/whole-stage";
import { wholeVideo } from "@/testing/relay/whole-video";
import { succeeded } from "@/testing/upstream/video-upstream";
import { videoSize, videoTokens } from "../../catalog/video-sizes";
import { LengthUnknown } from "../../media/movie-length";

/** The same model where the videos of an order are measured. */
const measuring = {
  ...wholeVideo,
  id: "acme-measuring",
  spec: {
    ...wholeVideo.spec,
    offers: {
      ...wholeVideo.spec.offers,
      input_videos: { max: 10, seconds_max: 15, measured: true },
    },
  },
};
/** Of the files in these tests. */
const inputLengths = {
  async secondsOf(url: string) {
    const [, seconds] = /(\d+(?:\.\d+)?)s\.mp4$/.exec(url) ?? [];
    if (seconds === undefined) throw new LengthUnknown("it is no mp4 or mov file");
    return Number(seconds);
  },
};

const stage = await startWholeStage((deps) => ({ ...deps, inputLengths }));
const { upstream, relay, client } = stage;
await sellModel(relay, measuring);
afterAll(async () => expect(await stage.close()).toEqual([]));

const post: WholeStage["post"] = (...given) => stage.post(...given);
const sent = () => stage.sent();

const { content: _content, ...wholeFields } = whole;
/** The same order in the Videos API's words where it has them. */
const job = {
  ...wholeFields,
  prompt: "a boat",
  input_reference: [{ image_url: file("a.png"), role: "reference_image" }],
  reference_videos: [file("a.mp4")],
  reference_audios: ["asset://sound-1"],
};

test("the Videos API takes the same, and its roles", async () => {
  const { status, json } = await post("/v1/videos", job);
  expect([status, json.error]).toEqual([200, null]);
  expect(sent()).toEqual(whole);
  await client.ended(json.id);
  const { content, ...fields } = framed;
  const frames = ["first_frame", "last_frame"].map((role, at) => ({
    image_url: file(at === 0 ? "a.png" : "b.png"),
    role,
  }));
  const made = await post("/v1/videos", { ...fields, prompt: "a boat", input_reference: frames });
  expect([made.status, sent()]).toEqual([200, framed]);
  await client.ended(made.json.id);
  const own = { first_frame_url: file("a.png"), last_frame_url: file("b.png") };
  const same = await post("/v1/videos", { ...fields, prompt: "a boat", ...own });
  expect([same.status, sent()]).toEqual([200, framed]);
  await client.ended(same.json.id);
  for (const input_reference of [[frames[0], frames[0]], [{ ...frames[0], role: "other" }]]) {
    const refused = await post("/v1/videos", { model, prompt: "a boat", input_reference });
    expect([refused.status, refused.json.error?.param]).toEqual([
      400,
      expect.stringMatching(/^input_reference/),
    ]);
  }
});

test("OpenAI's library sends our fields beside its own, as a form", async () => {
  const openai = new OpenAI({
    apiKey: "good",
    baseURL: stage.url,
    maxRetries: 0,
  });
  const { input_reference: _, ...others } = job;
  const asked = { ...others, reference_images: [file("a.png")] };
  const { id } = await openai.videos.create(asked as never);
  expect(sent()).toEqual(whole);
  await client.ended(id);
});

const madeFrom = (...urls: string[]) => ({
  model: measuring.id,
  content: [text, ...urls.map((url) => ({ ...video, video_url: { url } }))],
  ...{ resolution: "480p", ratio: "1:1", duration: 4 },
});
const quote = async (body: object) =>
  (await post("/v1/quote", { endpoint: "createVideoTask", ...body })).json;

test("the seconds of input videos are read and held; the bill of just these is the quote", async () => {
  const body = madeFrom(file("2.2s.mp4"), file("4s.mp4"));
  const tokens = videoTokens(videoSize("second", "480p", "1:1"), 4 + 3 + 4);
  upstream.script.state = () =>
    succeeded(tokens, { resolution: "480p", ratio: "1:1", duration: 4 });
  const quoted = await quote(body);
  const { json } = await stage.order(body);
  const [held] = (await relay.pool.query("select hold_amount from open_request")).rows;
  expect(Number(held.hold_amount)).toBe(Math.round(Number(quoted.hold_points) * 1e6));
  await client.ended(json.id);
  const [end] = (await relay.ends()).slice(-1);
  expect(end?.amount).toBe(Math.round(Number(quoted.estimate_points) * 1e6));
  expect(Number(quoted.hold_points)).toBeLessThan(
    Number((await quote({ ...body, model })).hold_points),
  );
  upstream.script.state = () => succeeded();
});

test.each([
  [[file("a.webm")], "cannot be read: it is no mp4 or mov file"],
  [["asset://video-1"], "an asset's length cannot be read"],
  [[file("9s.mp4"), file("6.5s.mp4")], "videos of 16 seconds: acme-measuring allows at most 15"],
])("input videos %j are refused before anything is held", async (urls, reason) => {
  const [ends, orders] = [(await relay.ends()).length, upstream.tasks.length];
  const { status, json } = await stage.order(madeFrom(...urls));
  expect([status, json.error?.param]).toEqual([400, "content[1]"]);
  expect(json.error?.message).toContain(reason);
  expect((await quote(madeFrom(...urls))).error).toEqual(json.error);
  expect([(await relay.ends()).length, upstream.tasks.length]).toEqual([ends, orders]);
});
