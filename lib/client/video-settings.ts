import { offeredModelsOf, type VideoModel } from "../catalog/models";
import { FRAMES_PER_SECOND, type Ratio, type Resolution } from "../catalog/video-sizes";
import type { TaskView } from "../contract/tasks";

export const videoModels = () => offeredModelsOf("video");

export const referenceKinds = ["image", "video", "audio"] as const;
export type ReferenceKind = (typeof referenceKinds)[number];
/** A file of what the video shows, is made from, or sounds like. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly address: string;
}

/** In seconds, as the model decides, or in frames. */
export const lengths = ["seconds", "auto", "frames"] as const;
export type Length = (typeof lengths)[number];

/** What is ordered besides, under the names of the wire. */
export type More = Omit<TaskView["settings"]["more"], "frames">;

/** As chosen. A model that does not offer something makes what comes nearest: `taskBody`. */
export interface VideoSettings {
  model: VideoModel;
  /** A model to compare with, which gets the same prompt. */
  second: VideoModel | null;
  prompt: string;
  resolution: Resolution;
  ratio: Ratio | "adaptive";
  length: Length;
  seconds: number;
  frames: number;
  firstFrame: readonly string[];
  lastFrame: readonly string[];
  references: readonly Reference[];
  generateAudio: boolean;
  seed: number | null;
  /** The task of a draft that is made into its video; null for an order of its own. */
  draftTask: string | null;
  more: More;
}

export function settingsOf(model: VideoModel): VideoSettings {
  const {
    resolutionDefault: resolution,
    ratioDefault: ratio,
    durationSecondsDefault: seconds,
  } = model;
  return {
    model,
    second: null,
    prompt: "",
    resolution,
    ratio,
    length: "seconds",
    seconds,
    frames: FRAMES_PER_SECOND * seconds + 1,
    firstFrame: [],
    lastFrame: [],
    references: [],
    generateAudio: false,
    seed: null,
    draftTask: null,
    more: {},
  };
}

/** How many references of a kind the model takes. */
export function referencesMax({ referenceImagesMax, offers }: VideoModel, kind: ReferenceKind) {
  if (kind === "image") return referenceImagesMax;
  return (kind === "video" ? offers.input_videos?.max : offers.input_audios_max) ?? 0;
}

/** Those that the model takes. A first frame takes their place. */
export function referencesOf({ model, references, firstFrame }: VideoSettings): Reference[] {
  if (firstFrame.length > 0) return [];
  return referenceKinds.flatMap((kind) =>
    references.filter((each) => each.kind === kind).slice(0, referencesMax(model, kind)),
  );
}

/** The settings with further references, as many as the model takes. */
export function withReferences(
  settings: VideoSettings,
  kind: ReferenceKind,
  addresses: readonly string[],
): VideoSettings {
  const known = settings.references.map((each) => each.address);
  const more = addresses.filter((address) => !known.includes(address));
  const references = [...settings.references, ...more.map((address) => ({ kind, address }))];
  return { ...settings, references: referencesOf({ ...settings, references, firstFrame: [] }) };
}

const lastFrameOf = ({ model, firstFrame, lastFrame }: VideoSettings) =>
  model.hasLastFrame && firstFrame.length > 0 ? lastFrame : [];

/** The same settings for another model. A draft is made into its video by its own model only. */
export function withModel(settings: VideoSettings, model: VideoModel): VideoSettings {
  const { second, resolution, ratio, draftTask } = settings;
  return {
    ...settings,
    model,
    second: second === model ? null : second,
    draftTask: settings.model === model ? draftTask : null,
    resolution: model.resolutions.includes(resolution) ? resolution : model.resolutionDefault,
    ratio: ratio === "adaptive" || model.ratios.includes(ratio) ? ratio : model.ratioDefault,
  };
}

/** Whether the ratio may follow what the video is made from. */
export const hasAdaptive = ({ model, firstFrame }: VideoSettings): boolean =>
  firstFrame.length > 0 || model.offers.adaptive_ratio === true;

export function ratioOf(settings: VideoSettings): Ratio | "adaptive" {
  const { model, ratio } = settings;
  return ratio === "adaptive" && !hasAdaptive(settings) ? model.ratioDefault : ratio;
}

export const lengthsOf = ({ offers }: VideoModel): Length[] =>
  lengths.filter(
    (each) =>
      each === "seconds" || (each === "auto" ? offers.auto_duration : offers.frames) === true,
  );

export const lengthOf = ({ model, length }: VideoSettings): Length =>
  lengthsOf(model).includes(length) ? length : "seconds";

/** What was chosen, or what the model makes instead: of listed lengths, the next one. */
export function secondsOf({ model, seconds }: VideoSettings): number {
  if (model.durations !== null)
    return (
      model.durations.toSorted((one, other) => one - other).find((each) => each >= seconds) ??
      model.durationSecondsMax
    );
  return Math.min(model.durationSecondsMax, Math.max(model.durationSecondsMin, seconds));
}

/** Frames are counted in fours, from those of a second. */
export const FRAMES_STEP = 4;
export const frameBounds = ({ durationSecondsMin, durationSecondsMax }: VideoModel) => ({
  min: FRAMES_PER_SECOND * durationSecondsMin + 1,
  max: FRAMES_PER_SECOND * durationSecondsMax + 1,
});

export function framesOf({ model, frames }: VideoSettings): number {
  const { min, max } = frameBounds(model);
  const steps = Math.round((frames - min) / FRAMES_STEP);
  return Math.min(max, Math.max(min, min + steps * FRAMES_STEP));
}

/** What the model offers of it. The final video of a draft is made as the draft was. */
export function moreOf(settings: VideoSettings): More {
  const { model, more, draftTask } = settings;
  const { offers } = model;
  const isFinal = draftTask !== null;
  const tools = more.tools?.filter(({ type }) => offers.tools?.types.includes(type)) ?? [];
  const { output_format: format, omni_reference_task_type: task, service_tier: tier } = more;
  const hasReferences = referencesOf(settings).length > 0;
  const isFlex = offers.flex === true && tier === "flex";
  return {
    ...(isFlex && { service_tier: tier }),
    ...(isFlex &&
      more.execution_expires_after && { execution_expires_after: more.execution_expires_after }),
    ...(offers.draft && !isFinal && more.draft && { draft: true }),
    ...(more.return_last_frame && { return_last_frame: true }),
    ...(offers.priority && more.priority && { priority: more.priority }),
    ...(!isFinal && tools.length > 0 && { tools }),
    ...(offers.output_formats?.some((each) => each === format) && { output_format: format }),
    ...(hasReferences &&
      offers.reference_tasks?.some((each) => each === task) && { omni_reference_task_type: task }),
    ...(!isFinal && more.camera_fixed && { camera_fixed: true }),
    ...(more.watermark && { watermark: true }),
  };
}

/** Why the settings cannot be ordered yet; null when they can. */
export function lackOf(settings: VideoSettings): "prompt" | "beside_sound" | null {
  if (settings.draftTask !== null) return null;
  const kinds = new Set(referencesOf(settings).map(({ kind }) => kind));
  if (kinds.has("audio") && kinds.size === 1) return "beside_sound";
  const hasStart = settings.firstFrame.length > 0 || kinds.has("video");
  return settings.prompt.trim() === "" && !hasStart ? "prompt" : null;
}

const contentOf = (type: "image_url" | "video_url" | "audio_url", url: string, role: string) => ({
  type,
  [type]: { url },
  role,
});

/** The text, and the files with their roles. */
function contentsOf(settings: VideoSettings): object[] {
  const { prompt, firstFrame, draftTask } = settings;
  if (draftTask !== null) return [{ type: "draft_task", draft_task: { id: draftTask } }];
  return [
    ...(prompt.trim() === "" ? [] : [{ type: "text", text: prompt }]),
    ...firstFrame.map((url) => contentOf("image_url", url, "first_frame")),
    ...lastFrameOf(settings).map((url) => contentOf("image_url", url, "last_frame")),
    ...referencesOf(settings).map(({ kind, address }) =>
      contentOf(`${kind}_url`, address, `reference_${kind}`),
    ),
  ];
}

function lengthField(settings: VideoSettings): object {
  const length = lengthOf(settings);
  if (length === "frames") return { frames: framesOf(settings) };
  return { duration: length === "auto" ? -1 : secondsOf(settings) };
}

/** The task's body; null while the settings are incomplete. */
export function taskBody(settings: VideoSettings): object | null {
  if (lackOf(settings) !== null) return null;
  const { model, resolution, generateAudio, seed, draftTask } = settings;
  return {
    model: model.id,
    content: contentsOf(settings),
    resolution,
    // The final video of a draft has the rest from it.
    ...(draftTask === null && {
      ratio: ratioOf(settings),
      ...lengthField(settings),
      ...(model.audio && { generate_audio: generateAudio }),
      ...(seed !== null && { seed }),
    }),
    ...moreOf(settings),
  };
}
