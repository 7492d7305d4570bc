/** An image model that makes several images and has every setting, for tests, and a scripted upstream that serves it. */
import type { Model } from "@/lib/catalog/model";
import { imageSpec } from "@/lib/contract/image-spec";
import { overlays, passedImageFields } from "@/lib/contract/media-fields";
import { modelOf } from "@/lib/model-file/model-of";
import { pngOf } from "../media/files";
import { type Script, sendJson, startUpstream, type TestUpstream } from "../upstream/test-upstream";
import type { TestRelay } from "./test-relay";

export const model = "acme-series";
export const sizes = ["512x512", "1024x768"];
export const rates = {
  "512x512": 8.000_001,
  "1024x768": 12.345_678,
  "1K": 15.5,
  "2K": 20.25,
} as const;
export const file = {
  id: model,
  family: "image",
  spec: {
    sizes,
    size_names: { "1K": "512x1024", "2K": "1024x1024" },
    side_pixels_min: 512,
    side_pixels_max: 1024,
    pixels_max: 1024 * 1024,
    images_max: 15,
    reference_images_max: 14,
    layers_max: 17,
    output_formats: ["jpeg", "png", "gif"],
    watermark: true,
    guidance_scale: { min: 1, max: 10 },
    prompt_modes: ["standard", "fast"],
    passes: [...passedImageFields, ...overlays],
    tools: { types: ["web_search"], calls_max: 2 },
  },
  rates: [
    ...Object.entries(rates).map(([size, points]) => ({ unit: "image", size, points })),
    { unit: "image_token", points: 3 },
    { unit: "input_image", points: 0.25 },
    { unit: "partial_image", points: 0.5 },
    { unit: "tool_call", points: 1.5 },
    { unit: "request", points: 0.000_003 },
  ],
};

/** An image that an upstream answers, and the reason for a missing one. */
export const picture = { b64_json: pngOf(512, 512).toString("base64") };
export const refused = {
  error: { code: "OutputImageSensitiveContentDetected", message: "secret words" },
};

export const delivering =
  (...data: object[]): Script =>
  (response) =>
    sendJson(response, JSON.stringify({ created: 1, data, usage: { output_tokens: 1 } }));

export interface Series {
  readonly upstream: TestUpstream;
  /** Sends the orders of `work` to the scripted upstream. */
  scripted<T>(script: Script, protocol: "ark" | "openai", work: () => Promise<T>): Promise<T>;
  order(body: object, headers?: Record<string, string>): ReturnType<TestRelay["send"]>;
}

export async function startSeries({ setting, send }: TestRelay): Promise<Series> {
  let script: Script = () => {};
  const upstream = await startUpstream((...given) => script(...given));
  return {
    upstream,
    async scripted(own, protocol, work) {
      const { channels } = setting;
      script = own;
      upstream.seen.length = 0;
      setting.channels = [upstream.channel({ protocol, models: { [model]: "their-series" } })];
      try {
        return await work();
      } finally {
        setting.channels = channels;
      }
    },
    order: (body, headers = {}) =>
      send("/v1/images/generations", {
        body: JSON.stringify({ model, prompt: "A fox", size: "512x512", ...body }),
        headers,
      }),
  };
}

/** The model of that file, as a process has it, and with qualities. */
export function seriesModel(): Model {
  return modelOf({
    ...{ id: model, family: "image", is_built_in: false, state: "offered" },
    ...{ retires_at: null, replaced_by: null, created_at: new Date(0), version: 1 },
    ...{ version_id: "1", aliases: [], names: null },
    spec: imageSpec.parse({ ...file.spec, qualities: ["standard", "high"] }),
  });
}
