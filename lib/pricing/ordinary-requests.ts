/** A few typical requests of each model, from small to large, whose cost the model's page shows. */
import { parseImageSize } from "../catalog/image-sizes";
import type { Model } from "../catalog/models";
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

export function ordinaryRequests(model: Model): OrdinaryRequest[] {
  if (model.family === "text") {
    return conversations.map(([inputTokens, outputTokens]) => ({
      request: { family: "text", inputTokens, outputTokens },
      usage: { inputTokens, outputTokens },
    }));
  }
  if (model.family === "image") {
    return [
      "1024x1024",
      model.sizeDefault,
      model.ratioSizes["16:9"] ?? "",
      `${model.sidePixelsMax}x${model.sidePixelsMax}`,
    ].flatMap((size) => {
      const sides = parseImageSize(size);
      return sides
        ? [
            {
              request: { family: "image", size },
              usage: imageUsage(...sides),
            },
          ]
        : [];
    });
  }
  const ratio = model.ratioDefault;
  return [model.durationSecondsDefault, model.durationSecondsMax].flatMap((seconds) =>
    model.resolutions.map((resolution) => ({
      request: { family: "video", seconds, resolution, ratio } as const,
      usage: videoUsage(model, resolution, ratio, seconds),
    })),
  );
}
