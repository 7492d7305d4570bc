/** The file of a video model that offers everything, at rates of their own for each case. */
import type { VideoModel } from "@/lib/catalog/models";
import { modelOf } from "@/lib/model-file/model-of";

const resolutions = ["480p", "720p", "1080p", "2k", "4k"] as const;
const truths = [false, true];
const tiers = ["default", "flex"] as const;

/** Points per million tokens, another for each case. */
const rates = resolutions.flatMap((resolution, at) =>
  truths.flatMap((audio) =>
    truths.flatMap((input_video) =>
      tiers.map((tier) => ({
        unit: "video_token",
        resolution,
        audio,
        input_video,
        tier,
        points:
          (1000 + at * 100 + (audio ? 7 : 0) + (input_video ? 31 : 0)) / (tier === "flex" ? 2 : 1),
      })),
    ),
  ),
);

export const wholeVideo = {
  id: "acme-whole",
  family: "video",
  spec: {
    durations: { min: 2, max: 15, default: 5 },
    resolutions,
    resolution_default: "720p",
    reference_images_max: 30,
    audio: true,
    last_frame: true,
    offers: {
      input_videos: { max: 10, seconds_max: 15 },
      input_audios_max: 10,
      assets: true,
      adaptive_ratio: true,
      auto_duration: true,
      frames: true,
      draft: true,
      flex: true,
      priority: true,
      tools: { types: ["web_search"], calls_max: 5 },
      reference_tasks: ["auto", "edit", "extend"],
      output_formats: ["mp4", "mov"],
    },
  },
  rates: [...rates, { unit: "tool_call", points: 2 }],
};

/** The model of that file, as a process has it. */
export function wholeModel(): VideoModel {
  const model = modelOf({
    ...{ id: wholeVideo.id, family: "video", is_built_in: false, state: "offered" },
    ...{ retires_at: null, replaced_by: null, created_at: new Date(0), version: 1 },
    ...{ version_id: "1", aliases: [], names: null, spec: wholeVideo.spec },
  });
  if (model.family !== "video") throw new Error("it is no video model");
  return model;
}
