/**
 * Fields that orders of videos and images share: the prompt, addresses, and the fields of every
 * order. The catalogue decides what a model allows.
 */
import { z } from "zod";
import { base64Length } from "./base64";
import {
  CALLBACK_CHARACTERS_MAX,
  MEDIA_BODY_MEBIBYTES_MAX,
  PROMPT_LENGTH_MAX,
  REQUESTED_MODEL_LENGTH_MAX,
  SEED_MAX,
} from "./limits";
import { neutral } from "./neutral";
import { taskStatuses } from "./states";
import { settingFields } from "./video-settings";

const URL_CHARACTERS_MAX = 8192;
/** The name of a size, ratio or resolution. */
export const NAME_OF_SIZE_CHARACTERS_MAX = 40;
/**
 * More images than any model takes, so that a slightly too long list is refused with the model's
 * own limit.
 */
export const IMAGES_MAX = 64;
/** An image inside the body may be as long as the body. */
const IMAGE_ADDRESS_CHARACTERS_MAX = MEDIA_BODY_MEBIBYTES_MAX * 1024 * 1024;
/** The types of images inside a request. */
export const imageTypes = ["jpeg", "jpg", "png", "webp", "bmp", "tiff", "gif", "heic", "heif"];
/** The file formats in which images can be asked for. */
export const imageFormats = ["png", "jpeg", "webp", "gif"] as const;
/**
 * Fields of the Images API and of Ark's that reach the upstream of a model as they came, where the model says that
 * its upstream bills nothing for them.
 */
export const passedImageFields = [
  "background",
  "moderation",
  "output_compression",
  "style",
  "input_fidelity",
  "optimize_prompt",
  "complexity",
  "safety_identifier",
  "user",
] as const;
/** What else a model may say that its upstream takes: a picture that says where or how an edit changes the image. */
export const overlays = ["mask", "markup"] as const;
export type PassedImageField = (typeof passedImageFields)[number];
/** The ways in which a model may improve a prompt. */
export const promptModes = ["standard", "fast"] as const;
const encodedStart = new RegExp(`^data:image/(?:${imageTypes.join("|")});base64,`);
const ENCODED_START_MAX = 40;
const ENCODED_CHARACTERS_MIN = 16;

function isEncodedImage(text: string): boolean {
  const start = encodedStart.exec(text.slice(0, ENCODED_START_MAX))?.[0].length;
  return start !== undefined && base64Length(text, start) >= ENCODED_CHARACTERS_MIN;
}

const isWebAddress = (text: string) =>
  /^https?:\/\/[^\s\p{Cc}]+$/u.test(text) && URL.canParse(text);

/** An address that anybody may fetch. */
export function isFileAddress(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || !isWebAddress(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

const isImageAddress = (text: string): boolean =>
  text.startsWith("data:") ? isEncodedImage(text) : isFileAddress(text);

/** For the API document: addresses of this form are accepted, and some others. */
const ADDRESS_PATTERN =
  "^https?://([A-Za-z0-9]+\\.)*[A-Za-z]+(:[1-9][0-9]{0,3})?(/[A-Za-z0-9._~/-]*)?$";
const ENCODED_PATTERN = "^data:image/(jpeg|png|webp);base64,[A-Za-z0-9+/]{16,}={0,2}$";

export const imageAddress = z
  .string()
  .max(IMAGE_ADDRESS_CHARACTERS_MAX)
  .superRefine((text, context) => {
    if (isImageAddress(text) || isAsset(text)) return;
    context.addIssue({
      code: "custom",
      message: "it must be an https:, http: or data:image/…;base64, URL",
    });
  })
  .meta({
    anyOf: [
      { title: "URL", pattern: ADDRESS_PATTERN },
      { title: "data URL", pattern: ENCODED_PATTERN },
    ],
  });

/** A file that an upstream's account has. */
const isAsset = (text: string) => /^asset:\/\/[\w.-]{1,120}$/.test(text);

/** The address of a video or a sound, which are never inside a request. */
export const mediaAddress = z
  .string()
  .max(URL_CHARACTERS_MAX)
  .superRefine((text, context) => {
    if (isAsset(text) || (!text.startsWith("data:") && isImageAddress(text))) return;
    context.addIssue({ code: "custom", message: "it must be an https:, http: or asset: URL" });
  })
  .meta({ format: "uri", pattern: ADDRESS_PATTERN });

/** Text that every component can carry: no NUL, no unpaired surrogate. */
export const promptText = z
  .string()
  .max(PROMPT_LENGTH_MAX)
  .superRefine((text, context) => {
    if (text.includes("\u0000") || !text.isWellFormed())
      context.addIssue({
        code: "custom",
        message: "it must not contain NUL characters or unpaired surrogates",
      });
  });

/**
 * The address that gets a task's states. Whether it may be connected to is checked when connecting.
 */
export const callbackAddress = z
  .string()
  .max(CALLBACK_CHARACTERS_MAX)
  .superRefine((text, context) => {
    if (!isWebAddress(text))
      context.addIssue({ code: "custom", message: "it must be an https: or http: URL" });
  })
  .meta({ format: "uri", pattern: ADDRESS_PATTERN });

export const callbackStates = z
  .array(z.enum(taskStatuses))
  .min(1)
  .max(taskStatuses.length)
  .nullish()
  .describe("The statuses of which callback_url is told; absent for all");

/** The fields of every order of a video or an image. */
export const mediaFields = {
  model: z.string().min(1).max(REQUESTED_MODEL_LENGTH_MAX),
  ratio: z.string().max(NAME_OF_SIZE_CHARACTERS_MAX).nullish(),
  seed: z
    .int()
    .min(-1)
    .max(SEED_MAX)
    .nullish()
    .describe("The same seed makes a similar result again; -1 or absent: a random one"),
};

/** The fields of both styles of video order. */
export const videoFields = {
  model: mediaFields.model.describe("A video model, by its identifier or alias"),
  resolution: z
    .string()
    .max(NAME_OF_SIZE_CHARACTERS_MAX)
    .nullish()
    .describe("The resolution of the video, such as 720p; each model has its own"),
  ratio: mediaFields.ratio.describe(
    "The ratio of the video; by default that of the first frame, where there is one",
  ),
  duration: z
    .int()
    .nullish()
    .describe(
      "The length in seconds; below the model's minimum it is raised to it, above the maximum it is refused; -1 where the model decides",
    ),
  seed: mediaFields.seed,
  generate_audio: z
    .boolean()
    .nullish()
    .meta({ default: false, description: "Whether the video has sound, where the model makes it" }),
  watermark: z
    .boolean()
    .nullish()
    .meta({ default: false, description: "Whether the upstream's watermark is on the video" }),
  camera_fixed: z
    .boolean()
    .nullish()
    .describe("Whether the camera stands still; by default the model decides"),
  n: neutral(
    [1],
    "n_not_supported",
    "only one video per call is supported; omit it or send 1",
    "The number of videos: one for each call, so the field has no effect",
  ),
  framespersecond: neutral(
    [24],
    "unsupported_value",
    "only 24 is supported",
    "Only 24, which has no effect: every video has 24 frames a second",
  ),
  ...settingFields,
};
