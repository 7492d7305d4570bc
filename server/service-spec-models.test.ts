/**
 * What the service's specification says of its video and image models, in its words, for each of
 * them. What the models offer beyond it must not change any of this.
 */
import { expect, test } from "vitest";
import { builtInModels } from "@/lib/catalog/built-in";
import type { VideoModel } from "@/lib/catalog/models";
import { videoSize, videoTokens } from "@/lib/catalog/video-sizes";
import { imageUrl, startSpecService } from "@/testing/service/spec-service";
import { opened } from "@/testing/unit/opened";

const service = await opened(startSpecService());

const videos = builtInModels.filter(
  (model): model is typeof model & VideoModel => model.family === "video",
);
const is25 = ({ id }: VideoModel) => id === "Super-Relay2.5";
const isSecond = ({ id }: VideoModel) => /2\.(0|5)/.test(id);

const quote = (model: VideoModel, body: object = {}) =>
  service.quoteOf({ model: model.id, ...body });
const statusOf = async (model: VideoModel, body: object) => (await quote(model, body)).status;
const normalized = async (model: VideoModel, body: object = {}) =>
  (await quote(model, body)).json.normalized;

type Statement = readonly [
  section: string,
  words: string,
  holds: (model: VideoModel) => Promise<void>,
];

const statements: readonly Statement[] = [
  [
    "2.2, 8",
    "`480p`, `720p`, `1080p` (`Super-Relay2.5` has no `1080p`)",
    async (model) => {
      for (const resolution of ["480p", "720p", "1080p", "2k", "4k"]) {
        const isMade =
          ["480p", "720p"].includes(resolution) || (resolution === "1080p" && !is25(model));
        expect(await statusOf(model, { resolution })).toBe(isMade ? 200 : 400);
      }
    },
  ],
  [
    "2.2, 8",
    "maximum 12 (`Super-Relay2.5`: maximum 15); minimum per model",
    async (model) => {
      const most = is25(model) ? 15 : 12;
      expect(await statusOf(model, { duration: most })).toBe(200);
      expect(await statusOf(model, { duration: most + 1 })).toBe(400);
      for (const frames of [289, 73]) {
        const { status, json } = await quote(model, { frames });
        if (status === 200)
          expect(json.tokens.output).toBeLessThanOrEqual(
            videoTokens(videoSize(model.sizeGeneration, "720p", "16:9"), most),
          );
      }
    },
  ],
  [
    "2.4",
    "When `duration` is below the model's minimum, the service raises it to the minimum and proceeds",
    async (model) => {
      const least = /^Super-Relay(Fast)?$/.test(model.id) ? 3 : 5;
      expect(await normalized(model, { duration: 1 })).toMatchObject({ duration: least });
    },
  ],
  [
    "2.2",
    "`16:9`, `9:16`, `1:1`, `4:3`, `3:4`, `21:9`",
    async (model) => {
      for (const ratio of ["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"])
        expect(await normalized(model, { ratio })).toMatchObject({ ratio });
      expect(await statusOf(model, { ratio: "2:1" })).toBe(400);
    },
  ],
  [
    "2.2, 2.4",
    "up to 4; multi-reference, for the 2.0 models",
    async (model) => {
      const status = (count: number) =>
        statusOf(model, { reference_images: Array(count).fill(imageUrl) });
      expect([await status(1), await status(4), await status(5)]).toEqual(
        isSecond(model) ? [200, 200, 400] : [400, 400, 400],
      );
    },
  ],
  [
    "2.2",
    "default `false`; 2.0 models; when `true` the model generates dialogue and ambient sound",
    async (model) => {
      expect(await normalized(model)).toMatchObject({ generate_audio: false });
      expect(await statusOf(model, { generate_audio: true })).toBe(isSecond(model) ? 200 : 400);
    },
  ],
  [
    "2.2",
    "turns the call into image-to-video",
    async (model) => expect(await statusOf(model, { first_frame_url: imageUrl })).toBe(200),
  ],
  [
    "2.2",
    "Sending only `first_frame_url` to a 2.0 model uses it as a single-image model.",
    async (model) => {
      const framed = { first_frame_url: imageUrl };
      expect(await normalized(model, framed)).toMatchObject({ ratio: "adaptive" });
      if (isSecond(model))
        expect(await statusOf(model, { ...framed, reference_images: [imageUrl] })).toBe(400);
    },
  ],
  [
    "2.4",
    "Each model has an ASCII-only alias […] An alias may be used in place of the model identifier.",
    async (model) => {
      const { id, alias } = model;
      expect(alias).toMatch(/^super-relay(-fast|-1\.5|-2|-2-fast|-2\.5)?$/);
      const body = { duration: 5, resolution: "480p" };
      const [byId, byAlias] = [id, alias].map((name) => service.quoteOf({ model: name, ...body }));
      expect((await byAlias)?.json).toEqual((await byId)?.json);
    },
  ],
  [
    "2.5",
    "parameters appended at its end as flags `--resolution <value>`, `--duration <seconds>`, `--ratio <value>`",
    async (model) => {
      const text = "a fox --resolution 480p --duration 6 --ratio 9:16";
      const body = { endpoint: "createVideoTask", model: model.id };
      const content = [{ type: "text", text }];
      const { json } = await service.post("/v1/quote", { ...body, content });
      expect(json.normalized).toMatchObject({ resolution: "480p", duration: 6, ratio: "9:16" });
      const frame = { type: "image_url", image_url: { url: imageUrl }, role: "first_frame" };
      const framed = await service.post("/v1/quote", { ...body, content: [...content, frame] });
      expect(framed.status).toBe(200);
    },
  ],
  [
    "8",
    "Video is billed on output only; input is not billed.",
    async (model) => {
      const plain = (await quote(model)).json;
      const framed = (await quote(model, { first_frame_url: imageUrl, ratio: "16:9" })).json;
      expect(framed.tokens).toEqual(plain.tokens);
      expect(await statusOf(model, { reference_videos: [imageUrl] })).toBe(400);
    },
  ],
];

test.each(statements)("%s: %s", async (_section, _words, holds) => {
  for (const model of videos) await holds(model);
});

test("2.6: `Super-Relay-Image` or `super-relay-img`; a ratio in place of a size; references, up to 4", async () => {
  const quoteImage = (body: object) =>
    service.post("/v1/quote", { endpoint: "createImage", prompt: "a fox", ...body });
  for (const model of ["Super-Relay-Image", "super-relay-img"]) {
    for (const ratio of ["9:16", "16:9", "1:1"])
      expect((await quoteImage({ model, ratio })).status).toBe(200);
    const sized = await quoteImage({ model, size: "1024x768" });
    expect(sized.json.normalized).toMatchObject({ size: "1024x768", n: 1 });
    const status = async (image: unknown) => (await quoteImage({ model, image })).status;
    expect([
      await status(imageUrl),
      await status(Array(4).fill(imageUrl)),
      await status(Array(5).fill(imageUrl)),
    ]).toEqual([200, 200, 400]);
  }
});

test("2.6, 7: only one image per call; a value above 1 is rejected with HTTP 400", async () => {
  await service.refused(() => service.image({ n: 2 }), 400, "n_not_supported", "n");
  expect((await service.image({ n: 1 })).status).toBe(200);
});

test("8: `output_tokens` equals pixels divided by 256, so 2048x2048 costs four times 1024x1024", async () => {
  const tokens = async (size: string) => {
    const body = { endpoint: "createImage", model: "super-relay-img", prompt: "a fox", size };
    const { json } = await service.post("/v1/quote", body);
    return json.hold_points;
  };
  expect(await tokens("2048x2048")).toBeCloseTo(4 * Number(await tokens("1024x1024")), 6);
});
