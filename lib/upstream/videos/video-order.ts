/** An order in the form of the Videos API. */
import { findModel } from "../../catalog/models";
import { videoSize } from "../../catalog/video-sizes";
import { isSet, settingNames } from "../../contract/video-settings";
import { failureOf } from "../failure";
import type { VideoOrder } from "../media-provider";
import type { Channel, JsonObject, UpstreamFailure } from "../provider";

/** The API's own sizes. For any other resolution and ratio the model's own pixels are asked for. */
const ownSizes: Readonly<Record<string, string>> = {
  "720p 16:9": "1280x720",
  "720p 9:16": "720x1280",
  "1080p 16:9": "1792x1024",
  "1080p 9:16": "1024x1792",
};

/** The API has no ratio that follows the picture. */
const RATIO_OF_PICTURE = "16:9";

function sizeOf({ model, resolution, ratio: ordered }: VideoOrder): string {
  const ratio = ordered === "adaptive" ? RATIO_OF_PICTURE : ordered;
  const own = ownSizes[`${resolution} ${ratio}`];
  if (own !== undefined) return own;
  const found = findModel(model);
  const generation = found?.family === "video" ? found.sizeGeneration : "second";
  return videoSize(generation, resolution, ratio).join("x");
}

const picturesOf = ({ firstFrameUrl, referenceImageUrls }: VideoOrder) =>
  firstFrameUrl === null ? referenceImageUrls : [firstFrameUrl, ...referenceImageUrls];

/** The first part of an order that the API cannot carry. A name for reviews may be left out. */
function withoutField(order: VideoOrder): string | null {
  const parts: readonly (readonly [param: string, isOrdered: boolean])[] = [
    ["last_frame", Boolean(order.lastFrameUrl)],
    ["reference_images", picturesOf(order).length > 1],
    ["reference_videos", (order.referenceVideoUrls ?? []).length > 0],
    ["reference_audios", (order.referenceAudioUrls ?? []).length > 0],
    ["draft_task", order.draftRef !== undefined],
    ["duration", order.isAutoLength === true],
    ["seed", order.seed !== null],
    ["camera_fixed", order.cameraFixed === true],
    ["watermark", order.watermark],
    ...settingNames
      .filter((name) => name !== "safety_identifier")
      .map((name) => [name, isSet(order.settings, name)] as const),
  ];
  return parts.find(([, isOrdered]) => isOrdered)?.[0] ?? null;
}

/**
 * The setting that the API has no field for; null when it has one for all. Such an order is for
 * another channel.
 */
export function unsuited(order: VideoOrder): UpstreamFailure | null {
  const param = withoutField(order);
  if (param === null) return null;
  const detail = { isSurelyFree: true, param };
  return failureOf("invalid_value", `the Videos API has no field for ${param}`, detail);
}

export function orderBody(channel: Channel, order: VideoOrder): JsonObject {
  const [picture] = picturesOf(order);
  return {
    model: channel.models[order.model] ?? order.model,
    prompt: order.prompt,
    // The price depends on both, so they are sent even where they are the upstream's default.
    seconds: String(order.durationSeconds),
    size: sizeOf(order),
    ...(picture === undefined ? {} : { input_reference: { image_url: picture } }),
  };
}
