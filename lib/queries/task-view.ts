/** A video or an image as the pages show it, with links to its files. */
import type { z } from "zod";
import type { task } from "../contract/tasks";
import { createMediaLinks, type MediaLinks } from "../media/media-link";
import type { OrderedItem } from "../results/ordered-images";
import { entryView } from "./entries";
import type { QueryDeps } from "./query-deps";
import { settingsView } from "./result-settings";
import type { TaskLine } from "./task-log";

type TaskView = z.input<typeof task>;

function deliveredOf({ facts, media }: TaskLine): TaskView["delivered"] {
  if (media === null) return null;
  const { width, height, bytes } = media;
  return {
    ...settingsView({ ...facts, width, height }),
    ratio: facts?.ratio ?? null,
    bytes,
    seed: facts?.seed ?? null,
    frames: facts?.frames ?? null,
    generateAudio: facts?.generateAudio ?? null,
    serviceTier: facts?.serviceTier ?? null,
    toolUsage: { ...facts?.toolCalls },
    revisedPrompt: facts?.revisedPrompt ?? null,
  };
}

/** What was ordered besides, under the names of the wire. */
function moreOf({ spec, family }: TaskLine): TaskView["settings"]["more"] {
  const { cameraFixed, watermark, settings } = spec;
  if (family === "video")
    return {
      ...settings,
      ...(settings?.tools && { tools: [...settings.tools] }),
      ...(typeof cameraFixed === "boolean" && { camera_fixed: cameraFixed }),
      ...(watermark && { watermark }),
    };
  const { outputFormat, guidanceScale, promptMode } = settings ?? {};
  return {
    ...(outputFormat !== undefined && { output_format: outputFormat }),
    ...(guidanceScale !== undefined && { guidance_scale: guidanceScale }),
    ...(promptMode !== undefined && { prompt_mode: promptMode }),
    ...(settings?.watermark && { watermark: true }),
  };
}

function settingsOf(line: TaskLine): TaskView["settings"] {
  const { spec } = line;
  return {
    prompt: spec.prompt ?? null,
    ...settingsView(spec),
    ratio: spec.ratio ?? null,
    quality: spec.quality ?? null,
    seed: spec.seed ?? null,
    pictures: (spec.pictures ?? []).map(({ role, url }) => ({ role, url })),
    isAutoLength: spec.isAutoLength ?? false,
    draftTask: spec.draftTask ?? null,
    sizeName: spec.sizeName ?? null,
    count: spec.count ?? 1,
    isSequence: spec.settings?.isSequence ?? false,
    more: moreOf(line),
  };
}

function fileOf(item: OrderedItem, media: TaskLine["media"], links: MediaLinks) {
  if ("error" in item) return { url: null, width: null, height: null, errorCode: item.error };
  const { file, width, height } = item;
  const isThere = file !== null && media !== null && !media.isExpired;
  return {
    url: isThere ? links.link(file, media.expiresAt) : null,
    width,
    height,
    errorCode: null,
  };
}

function resultOf({ media, facts }: TaskLine, links: MediaLinks): TaskView["result"] {
  if (media === null) return null;
  const { id, extension, expiresAt, isExpired } = media;
  const linkTo = (file: string) => (isExpired ? null : links.link(file, expiresAt));
  return {
    url: linkTo(`${id}.${extension}`),
    lastFrameUrl: facts?.lastFrame ? linkTo(facts.lastFrame) : null,
    expiresAt: expiresAt.toISOString(),
  };
}

export function taskViewer({
  secrets,
  settings,
}: Pick<QueryDeps, "secrets" | "settings">): (line: TaskLine) => TaskView {
  const links = createMediaLinks(secrets, settings.publicUrl);
  return (shown) => {
    const { id, operationId, family, model, status, at, errorCode, media, items, line } = shown;
    return {
      id,
      operationId,
      family,
      model,
      status,
      at: at.toISOString(),
      errorCode,
      settings: settingsOf(shown),
      delivered: deliveredOf(shown),
      result: resultOf(shown, links),
      // As the first file, they are shown only after the charge.
      files: media === null ? [] : (items ?? []).map((item) => fileOf(item, media, links)),
      entry: line && entryView(line),
    };
  };
}
