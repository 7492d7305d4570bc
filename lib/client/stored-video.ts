/** What was ordered of a video, as the studio's form has it. */
import type { VideoModel } from "../catalog/models";
import type { MediaRole } from "../contract/states";
import type { TaskView } from "../contract/tasks";
import {
  hasAdaptive,
  type Length,
  referenceKinds,
  settingsOf,
  type VideoSettings,
} from "./video-settings";

type Stored = TaskView["settings"];

const storedUrls = ({ pictures }: Stored, role: MediaRole) =>
  pictures.flatMap((each) => (each.role === role && each.url !== null ? [each.url] : []));

/** The length that was ordered. */
function storedLength({ isAutoLength, more: { frames } }: Stored): Length {
  if (isAutoLength) return "auto";
  return frames === undefined || frames === null ? "seconds" : "frames";
}

/** The stored settings of a task; null when its model is no longer offered to the person. */
export function videoSettingsOf(
  { model: name, settings, delivered }: TaskView,
  offered: readonly VideoModel[],
): VideoSettings | null {
  const model = offered.find(({ id }) => id === name);
  if (!model) return null;
  const usual = settingsOf(model);
  const { frames, ...more } = settings.more;
  const stored: VideoSettings = {
    ...usual,
    prompt: settings.prompt ?? "",
    resolution: model.resolutions.find((each) => each === settings.resolution) ?? usual.resolution,
    ratio: "adaptive",
    length: storedLength(settings),
    seconds: settings.seconds ?? usual.seconds,
    frames: frames ?? usual.frames,
    firstFrame: storedUrls(settings, "first_frame"),
    lastFrame: storedUrls(settings, "last_frame"),
    references: referenceKinds.flatMap((kind) =>
      storedUrls(settings, `reference_${kind}`).map((address) => ({ kind, address })),
    ),
    generateAudio: settings.generateAudio,
    seed: settings.seed,
    draftTask: settings.draftTask,
    more,
  };
  if (settings.ratio === "adaptive" && hasAdaptive(stored)) return stored;
  const known = [settings.ratio, delivered?.ratio];
  return { ...stored, ratio: model.ratios.find((each) => known.includes(each)) ?? usual.ratio };
}
