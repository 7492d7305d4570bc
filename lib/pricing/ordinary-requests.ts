/** A few typical requests of each model, from small to large, whose cost the model's page shows. */
import { makesSize, parseImageSize } from "../catalog/image-sizes";
import type { ImageModel, Model } from "../catalog/models";
import type { TokenUsage } from "./price";
import { imageUsage, type TypicalRequest, videoUsage } from "./typical";

export interface OrdinaryRequest {
  readonly request: TypicalRequest;
  readonly usage: TokenUsage;
}

const conversations: readonly (readonly [input: number, output: number])[] = [
  [200, 200],
  [1000, 1000],
  [10_000, 1000],
];

const SIZES_SHOWN = 6;

const usualSizes = ({ sizes, sizeDefault, ratioSizes, sidePixelsMax }: ImageModel): string[] =>
  sizes === null
    ? ["1024x1024", sizeDefault, ratioSizes["16:9"] ?? "", `${sidePixelsMax}x${sidePixelsMax}`]
    : [sizeDefault, ...sizes];

export function ordinaryRequests(model: Model): OrdinaryRequest[] {
  if (model.family === "text") {
    return conversations.map(([inputTokens, outputTokens]) => ({
      request: { family: "text", inputTokens, outputTokens },
      usage: { inputTokens, outputTokens },
    }));
  }
  if (model.family === "image") {
    const qualities = model.qualities.length > 0 ? model.qualities : [null];
    return [...new Set(usualSizes(model))].slice(0, SIZES_SHOWN).flatMap((size) => {
      const sides = parseImageSize(size);
      if (sides === null || !makesSize(model, sides)) return [];
      return qualities.map((quality) => ({
        request: { family: "image", size, ...(quality !== null && { quality }) } as const,
        usage: imageUsage(model, sides, quality),
      }));
    });
  }
  const ratio = model.ratioDefault;
  const lengths = new Set([model.durationSecondsDefault, model.durationSecondsMax]);
  return [...lengths].flatMap((seconds) =>
    model.resolutions.map((resolution) => ({
      request: { family: "video", seconds, resolution, ratio } as const,
      usage: videoUsage(model, resolution, ratio, seconds),
    })),
  );
}
