/** Reads an order in the form of the Videos API: its size and its seconds have names of their own. */
import { findModel } from "../../catalog/models";
import { type NamedSize, videoSizeNamed, videoSizeNames } from "../../catalog/video-sizes";
import type { VideoJobRequest } from "../../contract/video-job";
import { invalidValue, RelayError } from "../../failures/relay-error";
import type { RequestedVideo } from "./requested-order";
import {
  assertText,
  imagesOfFields,
  type RequestedImages,
  requestedVideoOf,
} from "./requested-video";
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

type Frames = Pick<RequestedImages, "firstFrameUrl" | "lastFrameUrl">;
const frames = { first_frame: "firstFrameUrl", last_frame: "lastFrameUrl" } as const;

/** What the video is made from: `input_reference` has images with roles, beside our own fields. */
function imagesOf(request: VideoJobRequest): RequestedImages {
  const own = imagesOfFields(request);
  const { input_reference: given } = request;
  if (isNothing(given)) return own;
  const items = typeof given === "string" ? [{ image_url: given }] : [given].flat();
  const named: { -readonly [Name in keyof Frames]: string | null } = {
    firstFrameUrl: own.firstFrameUrl,
    lastFrameUrl: own.lastFrameUrl,
  };
  const references = [...own.referenceImageUrls];
  for (const { image_url: url, role } of items) {
    const of = role ?? "first_frame";
    if (of === "reference_image") references.push(url);
    else if (named[frames[of]] === null) named[frames[of]] = url;
    else throw secondFrame(of);
  }
  return {
    ...own,
    ...named,
    referenceImageUrls: references,
    ...(own.firstFrameUrl === null && { firstFrameParam: "input_reference" }),
    ...(own.lastFrameUrl === null && { lastFrameParam: "input_reference" }),
    ...(own.referenceImageUrls.length === 0 && { referencesParam: "input_reference" }),
  };
}

const secondFrame = (role: string) =>
  new RelayError("unsupported_value", {
    message: `\`input_reference\` is a second ${role.replace("_", " ")}: send only one.`,
    param: "input_reference",
  });

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
  const size = sizeOf(request);
  const seconds = isNothing(request.seconds) ? null : Number(request.seconds);
  const fields = {
    ...request,
    duration: agreed(["duration", request.duration], ["seconds", seconds]),
    resolution: agreed(["resolution", request.resolution], ["size", size?.resolution]),
    ratio: agreed(["ratio", request.ratio], ["size", size?.ratio]),
  };
  const parsed = parsePrompt(request.prompt, true);
  const images = imagesOf(request);
  assertText(parsed, images);
  const requested = requestedVideoOf(fields, parsed, "prompt", images);
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
