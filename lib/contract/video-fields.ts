/** What both video styles share. Which values a model allows is the catalogue's matter and is checked against it. */
import { z } from "zod";
import { REQUESTED_MODEL_LENGTH_MAX, SEED_MAX } from "./limits";
import { neutral } from "./neutral";

/** As JSON fields of either style. */
export const videoFields = {
  model: z.string().min(1).max(REQUESTED_MODEL_LENGTH_MAX),
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
