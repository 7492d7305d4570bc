/** Whatever is chosen in the studio, of whatever model: the relay takes the order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { usualPrincipal } from "@/testing/accounts/usual-terms";
import { extent } from "@/testing/extent/extent";
import { file as imageFile } from "@/testing/relay/image-series";
import { wholeModel, wholeVideo } from "@/testing/relay/whole-video";
import { builtInModels } from "../catalog/built-in";
import {
  catalogueOf,
  type ImageModel,
  isOf,
  replaceCatalogue,
  type VideoModel,
} from "../catalog/models";
import type { Ratio, Resolution } from "../catalog/video-sizes";
import { type ImageRequest, imageRequest } from "../contract/image";
import { type VideoTaskRequest, videoTaskRequest } from "../contract/video-task";
import { validate } from "../http/validate";
import { modelOf } from "../model-file/model-of";
import type { Price } from "../pricing/price";
import { priceOfRates } from "../pricing/rate";
import { orderImage } from "../relay/image/image-order";
import { requestedVideoOfTask } from "../relay/video/requested-video";
import { orderVideo } from "../relay/video/video-order";
import { imageBodies, imageSettingsOf, imageWays, withImageModel } from "./image-settings";
import {
  lengths,
  referenceKinds,
  settingsOf,
  taskBody,
  type VideoSettings,
  withModel,
} from "./video-settings";

const series = modelOf({
  ...{ id: imageFile.id, family: "image", is_built_in: false, state: "offered" },
  ...{ retires_at: null, replaced_by: null, created_at: new Date(0), version: 1 },
  ...{ version_id: "1", aliases: [], names: null, spec: imageFile.spec },
});
const all = [...builtInModels, wholeModel(), series];
const videos = all.filter((model): model is VideoModel => isOf("video", model));
const images = all.filter((model): model is ImageModel => isOf("image", model));

replaceCatalogue(catalogueOf(all));

const videoPrice = priceOfRates([
  ...wholeVideo.rates.map(({ points, ...rate }) => ({
    ...rate,
    unit: rate.unit === "tool_call" ? ("tool_call" as const) : ("video_token" as const),
    amount: BigInt(points * 1_000_000),
  })),
  { unit: "video_token", amount: 1_000_000n },
]);
const bookOf = (price: Price) => ({
  current: (model: string) => ({ id: "1", model, price, effectiveAt: new Date(0) }),
});
const videoBook = bookOf(videoPrice);
const imageBook = bookOf(priceOfRates([{ unit: "image_token", amount: 1_000_000n }]));

const numRuns = extent(100, 2000);

const address = fc.integer({ min: 1, max: 60 }).map((number) => `https://files.example/${number}`);
const maybe = <Value>(value: Value) => fc.constantFrom(undefined, value);
const someResolution = fc.constantFrom<Resolution>("480p", "720p", "1080p", "2k", "4k");
const someRatio = fc.constantFrom<Ratio | "adaptive">("16:9", "9:16", "21:9", "adaptive");

const videoSettings: fc.Arbitrary<VideoSettings> = fc
  .record({
    model: fc.constantFrom(...videos),
    prompt: fc.constantFrom("", "a boat"),
    resolution: someResolution,
    ratio: someRatio,
    length: fc.constantFrom(...lengths),
    seconds: fc.integer({ min: 1, max: 40 }),
    frames: fc.integer({ min: 1, max: 1000 }),
    firstFrame: fc.array(address, { maxLength: 1 }),
    lastFrame: fc.array(address, { maxLength: 1 }),
    references: fc.array(fc.record({ kind: fc.constantFrom(...referenceKinds), address }), {
      maxLength: 50,
    }),
    generateAudio: fc.boolean(),
    seed: fc.constantFrom(null, 7),
    draftTask: fc.constantFrom(null, null, "cgt-1"),
    more: fc.record({
      service_tier: fc.constantFrom(undefined, "default" as const, "flex" as const),
      execution_expires_after: maybe(3600),
      draft: maybe(true),
      return_last_frame: maybe(true),
      priority: fc.constantFrom(undefined, 0, 3),
      tools: maybe([{ type: "web_search" }]),
      output_format: fc.constantFrom(undefined, "mp4", "mov"),
      omni_reference_task_type: fc.constantFrom(undefined, null, "edit"),
      camera_fixed: maybe(true),
      watermark: maybe(true),
    }),
  })
  .map(({ model, ...chosen }) => {
    // A draft is made by a model that makes drafts.
    const draftTask = model.offers.draft ? chosen.draftTask : null;
    return withModel({ ...settingsOf(model), ...chosen, draftTask }, model);
  });

test("a video is ordered with whatever the form has", () => {
  let ordered = 0;
  fc.assert(
    fc.property(videoSettings, fc.constantFrom(...videos), (settings, second) => {
      for (const each of [settings, withModel(settings, second)]) {
        const body = taskBody(each);
        if (body === null) continue;
        validate(videoTaskRequest, body);
        const requested = requestedVideoOfTask(body as VideoTaskRequest);
        const { spec, model } = orderVideo(requested, usualPrincipal, videoBook);
        expect([model.id, spec.resolution]).toEqual([each.model.id, each.resolution]);
        ordered++;
      }
    }),
    { numRuns },
  );
  expect(ordered).toBeGreaterThan(numRuns / 2);
});

const imageSettings = fc
  .record({
    model: fc.constantFrom(...images),
    sizeName: fc.constantFrom(null, "1K", "2K", "4K"),
    ratio: fc.constantFrom(null, "16:9"),
    width: fc.integer({ min: 512, max: 1024 }),
    height: fc.integer({ min: 512, max: 1024 }),
    references: fc.array(address, { maxLength: 20 }),
    seed: fc.constantFrom(null, 7),
    way: fc.constantFrom(...imageWays),
    count: fc.integer({ min: 1, max: 20 }),
    more: fc.record({
      output_format: fc.constantFrom(undefined, "jpeg", "webp"),
      guidance_scale: fc.constantFrom(undefined, 0, 2.5, 50),
      prompt_mode: fc.constantFrom(undefined, "fast"),
      watermark: maybe(true),
    }),
  })
  .map(({ model, ...chosen }) =>
    withImageModel({ ...imageSettingsOf(model), prompt: "a boat", ...chosen }, model),
  );

test("an image is ordered with whatever the form has", () => {
  let ordered = 0;
  fc.assert(
    fc.property(imageSettings, fc.constantFrom(...images), (settings, model) => {
      for (const each of [settings, withImageModel(settings, model)])
        for (const body of imageBodies(each)) {
          validate(imageRequest, body);
          orderImage(body as ImageRequest, usualPrincipal, imageBook);
          ordered++;
        }
    }),
    { numRuns },
  );
  expect(ordered).toBeGreaterThan(numRuns / 2);
});
