/** What both video styles share. Which values a model allows is the catalogue's matter and is checked against it. */
import { z } from "zod";
import { neutral } from "./neutral";

const PROMPT_CHARACTERS_MAX = 20_000;
const URL_CHARACTERS_MAX = 8192;
export const SEED_MAX = 2 ** 32 - 1;
const IMAGE_TYPES = "jpeg|jpg|png|webp|bmp|tiff|gif|heic|heif";
const encodedImage = new RegExp(`^data:image/(${IMAGE_TYPES});base64,[A-Za-z0-9+/]{16,}={0,2}$`);

function isImageAddress(text: string): boolean {
  if (text.startsWith("data:")) return encodedImage.test(text);
  if (text.length > URL_CHARACTERS_MAX || !/^https?:\/\/[^\s\p{Cc}]+$/u.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

export const imageAddress = z.string().superRefine((text, context) => {
  if (isImageAddress(text)) return;
  context.addIssue({ code: "custom", message: "send an https:, http: or data:image/…;base64, address" });
});

/** Text that every part of the way can carry: no NUL, no half of a surrogate pair. */
export const promptText = z
  .string()
  .max(PROMPT_CHARACTERS_MAX)
  .superRefine((text, context) => {
    if (text.includes("\u0000") || !text.isWellFormed())
      context.addIssue({ code: "custom", message: "it must be text without NUL characters and broken characters" });
  });

/** As JSON fields of either style. */
export const videoFields = {
  model: z.string().min(1).max(200),
  resolution: z.string().max(40).nullish(),
  ratio: z.string().max(40).nullish(),
  duration: z.int().nullish(),
  seed: z.int().min(-1).max(SEED_MAX).nullish(),
  generate_audio: z.boolean().nullish(),
  watermark: z.boolean().nullish(),
  camera_fixed: z.boolean().nullish(),
  n: neutral([1], "n_not_supported", "only one video per call is made here: leave it out or send 1"),
  service_tier: neutral(["default", "auto"], "unsupported_value", 'only "default" is supported'),
  draft: neutral([false], "unsupported_value", "only false is supported"),
  return_last_frame: neutral([false], "unsupported_value", "only false is supported"),
  frames: neutral([], "unsupported_value", "say the length by `duration`"),
  framespersecond: neutral([24], "unsupported_value", "only 24 is supported"),
  execution_expires_after: neutral([172_800], "unsupported_value", "only 172800 is supported"),
  priority: neutral([0], "unsupported_value", "only 0 is supported"),
  tools: neutral([[]], "unsupported_value", "no tools are supported"),
  output_format: neutral(["mp4"], "unsupported_value", 'only "mp4" is supported'),
  omni_reference_task_type: neutral([], "unsupported_value", "it is not supported here: leave it out"),
};
