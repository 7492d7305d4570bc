import { findModel, firstModelOf, offeredModelsOf, type VideoModel } from "../catalog/models";
import type { Ratio, Resolution } from "../catalog/video-sizes";
import type { ImageRole } from "../contract/states";
import type { TaskView } from "../contract/tasks";

export const videoModels = () => offeredModelsOf("video");

/**
 * The model with this identifier, alias or synonym; the first video model when the name is not one
 * of an offered video model.
 */
export function videoModelNamed(name: string | null, offered: readonly VideoModel[]): VideoModel {
  const model = findModel(name ?? "");
  return offered.find(({ id }) => id === model?.id) ?? offered[0] ?? firstModelOf("video");
}

export interface VideoSettings {
  model: VideoModel;
  /** A model to compare with, which gets the same prompt. */
  second: VideoModel | null;
  prompt: string;
  resolution: Resolution;
  ratio: Ratio;
  /** As chosen. A model may require more or allow less. */
  seconds: number;
  firstFrame: readonly string[];
  lastFrame: readonly string[];
  references: readonly string[];
  hasAudio: boolean;
  seed: number | null;
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
    seconds,
    firstFrame: [],
    lastFrame: [],
    references: [],
    hasAudio: false,
    seed: null,
  };
}

/** The same settings for another model, without the options that it does not have. */
export function withModel(settings: VideoSettings, model: VideoModel): VideoSettings {
  return {
    ...settings,
    model,
    second: settings.second === model ? null : settings.second,
    resolution: model.resolutions.includes(settings.resolution)
      ? settings.resolution
      : model.resolutionDefault,
    ratio: model.ratios.includes(settings.ratio) ? settings.ratio : model.ratioDefault,
    lastFrame: model.hasLastFrame ? settings.lastFrame : [],
    references: settings.references.slice(0, model.referenceImagesMax),
    hasAudio: model.hasAudio && settings.hasAudio,
  };
}

/** What was chosen, or what the model makes instead: of listed lengths, the next one. */
export function secondsOf({ model, seconds }: VideoSettings): number {
  if (model.durations !== null)
    return (
      model.durations.toSorted((one, other) => one - other).find((each) => each >= seconds) ??
      model.durationSecondsMax
    );
  return Math.min(model.durationSecondsMax, Math.max(model.durationSecondsMin, seconds));
}

/** The task's body; null while the settings are incomplete. */
export function taskBody(settings: VideoSettings): object | null {
  const { model, prompt, resolution, ratio, hasAudio, seed } = settings;
  const { firstFrame, lastFrame, references } = settings;
  if (prompt.trim() === "") return null;
  const imageItem = (url: string, role: string) => ({
    type: "image_url",
    image_url: { url },
    role,
  });
  return {
    model: model.id,
    content: [
      { type: "text", text: prompt },
      ...firstFrame.map((url) => imageItem(url, "first_frame")),
      ...(firstFrame.length > 0 ? lastFrame : []).map((url) => imageItem(url, "last_frame")),
      ...references.map((url) => imageItem(url, "reference_image")),
    ],
    resolution,
    ratio,
    duration: secondsOf(settings),
    ...(model.hasAudio ? { generate_audio: hasAudio } : {}),
    ...(seed === null ? {} : { seed }),
  };
}

/** The stored settings of a task; null when its model is no longer offered to the person. */
export function videoSettingsOf(
  { model: name, settings, delivered }: TaskView,
  offered: readonly VideoModel[],
): VideoSettings | null {
  const model = offered.find(({ id }) => id === name);
  if (!model) return null;
  const usual = settingsOf(model);
  const urls = (role: ImageRole) =>
    settings.pictures.flatMap((image) =>
      image.role === role && image.url !== null ? [image.url] : [],
    );
  return {
    model,
    second: null,
    prompt: settings.prompt ?? "",
    resolution: model.resolutions.find((each) => each === settings.resolution) ?? usual.resolution,
    // `adaptive` takes the ratio of the first frame.
    ratio:
      model.ratios.find((each) => each === settings.ratio) ??
      model.ratios.find((each) => each === delivered?.ratio) ??
      usual.ratio,
    seconds: settings.seconds ?? usual.seconds,
    firstFrame: urls("first_frame"),
    lastFrame: model.hasLastFrame ? urls("last_frame") : [],
    references: urls("reference_image"),
    hasAudio: settings.hasAudio,
    seed: settings.seed,
  };
}
