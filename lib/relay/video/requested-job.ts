/** Reads an order in the form of the Videos API: its size and its seconds have names of their own. */
import { findModel } from "../../catalog/models";
import { type NamedSize, videoSizeNamed, videoSizeNames } from "../../catalog/video-sizes";
import type { VideoJobRequest } from "../../contract/video-job";
import { invalidValue, RelayError } from "../../failures/relay-error";
import type { RequestedVideo } from "./requested-order";
import { requestedVideoOf } from "./requested-video";
import { parsePrompt } from "./video-flags";

/** Null for a model that makes no videos, which is refused with the model. */
function sizeOf({ size, model: named }: VideoJobRequest): NamedSize | null {
  const model = findModel(named);
  if (size === undefined || size === null || model?.family !== "video") return null;
  const found = videoSizeNamed(size);
  if (found && model.resolutions.includes(found.resolution)) return found;
  const options = videoSizeNames(model.sizeGeneration, model.resolutions).join(", ");
  throw new RelayError("unsupported_value", {
    message: `\`size\` is ${JSON.stringify(size)}: ${model.id} allows ${options}.`,
    param: "size",
    fault: { name: "not_an_option", options },
  });
}

function firstFrameOf({ input_reference: given }: VideoJobRequest): string | null {
  return typeof given === "string" ? given : (given?.image_url ?? null);
}

/** The value of a field with two names. Values that disagree are refused, and both are named. */
function agreed<Value extends string | number>(
  [name, own]: readonly [string, Value | null | undefined],
  [otherName, other]: readonly [string, Value | null | undefined],
): Value | null {
  if (isNothing(own) || isNothing(other) || own === other) return other ?? own ?? null;
  const message = `\`${name}\` is ${JSON.stringify(own)}, but \`${otherName}\` says ${JSON.stringify(other)}: send only one of them, or equal values.`;
  throw invalidValue(name, message);
}

const isNothing = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

export function requestedVideoOfJob(request: VideoJobRequest): RequestedVideo {
  const { model, prompt, seed, generate_audio, watermark, camera_fixed } = request;
  const size = sizeOf(request);
  const seconds = isNothing(request.seconds) ? null : Number(request.seconds);
  const fields = {
    ...{ model, seed, generate_audio, watermark, camera_fixed },
    duration: agreed(["duration", request.duration], ["seconds", seconds]),
    resolution: agreed(["resolution", request.resolution], ["size", size?.resolution]),
    ratio: agreed(["ratio", request.ratio], ["size", size?.ratio]),
  };
  const requested = requestedVideoOf(fields, parsePrompt(prompt, true), "prompt", {
    firstFrameUrl: firstFrameOf(request),
    lastFrameUrl: null,
    referenceImageUrls: [],
    firstFrameParam: "input_reference",
    lastFrameParam: "input_reference",
    referencesParam: "input_reference",
  });
  if (requested.prompt === "" && requested.firstFrameUrl === null)
    throw new RelayError("invalid_value", {
      message: "`prompt` has no text: describe the video.",
      param: "prompt",
      fault: { name: "prompt_empty" },
    });
  const { params, labels } = requested;
  const ofSize = size && { resolution: "size", ratio: "size" };
  const ofSeconds = seconds !== null && { duration: "seconds" };
  return {
    ...requested,
    params: { ...params, ...ofSize, ...ofSeconds },
    labels: {
      ...labels,
      ...(size && { resolution: "`size`", ratio: "`size`" }),
      ...(ofSeconds && { duration: "`seconds`" }),
    },
  };
}
