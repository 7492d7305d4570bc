/** Reads the bodies of two styles of video request into one form. */
import { imageRoles } from "../../contract/states";
import type { VideoRequest } from "../../contract/video";
import type { videoInputs } from "../../contract/video-inputs";
import { type SettingName, settingsGiven } from "../../contract/video-settings";
import type { VideoTaskRequest } from "../../contract/video-task";
import { RelayError } from "../../failures/relay-error";
import type { RequestedVideo } from "./requested-order";
import { type FlagField, type ParsedPrompt, parsePrompt } from "./video-flags";

export type VideoFields = Pick<VideoRequest, FlagField | "generate_audio" | "model" | SettingName>;

/**
 * The value of a field that may also be given as a flag. A flag and a field that disagree are
 * refused, and the message names both.
 */
function settled<Name extends FlagField>(
  name: Name,
  fields: VideoFields,
  { flags, sources }: ParsedPrompt,
) {
  const field = fields[name] ?? null;
  const flag = flags[name];
  if (field !== null && flag !== undefined && field !== flag) {
    const source = sources[name];
    const message = `\`${name}\` is ${JSON.stringify(field)}, but the prompt has ${source?.flag} ${source?.value}: send only one of them, or equal values.`;
    const fault = { name: "flag_and_field", flag: `${source?.flag} ${source?.value}` } as const;
    throw new RelayError("invalid_value", { message, param: name, fault });
  }
  return field ?? flag ?? null;
}

export function requestedVideoOf(
  fields: VideoFields,
  parsed: ParsedPrompt,
  promptParam: string,
  images: RequestedImages,
): RequestedVideo {
  if (parsed.fault) {
    const { flag, problem } = parsed.fault;
    throw new RelayError("invalid_value", {
      message: `The text has ${flag.slice(0, 120)}: ${problem}.`,
      param: promptParam,
      fault: { name: "flag_wrong", flag: flag.slice(0, 120) },
    });
  }
  const paramOf = (name: FlagField) =>
    fields[name] === undefined || fields[name] === null ? promptParam : name;
  const labelOf = (name: FlagField) =>
    paramOf(name) === name ? `\`${name}\`` : (parsed.sources[name]?.flag ?? name);
  return {
    model: fields.model,
    prompt: parsed.prompt.trim(),
    resolution: settled("resolution", fields, parsed),
    ratio: settled("ratio", fields, parsed),
    duration: settled("duration", fields, parsed),
    seed: settled("seed", fields, parsed),
    generateAudio: fields.generate_audio ?? false,
    watermark: settled("watermark", fields, parsed) ?? false,
    cameraFixed: settled("camera_fixed", fields, parsed),
    settings: settingsGiven(fields),
    firstFrameUrl: images.firstFrameUrl,
    lastFrameUrl: images.lastFrameUrl,
    referenceImageUrls: images.referenceImageUrls,
    referenceVideoUrls: images.referenceVideoUrls ?? [],
    referenceAudioUrls: images.referenceAudioUrls ?? [],
    draftTask: images.draftTask ?? null,
    params: {
      resolution: paramOf("resolution"),
      ratio: paramOf("ratio"),
      duration: paramOf("duration"),
      firstFrame: images.firstFrameParam,
      lastFrame: images.lastFrameParam,
      references: images.referencesParam,
      videos: images.videosParam ?? "content",
      audios: images.audiosParam ?? "content",
      draft: images.draftParam ?? "content",
    },
    labels: {
      resolution: labelOf("resolution"),
      ratio: labelOf("ratio"),
      duration: labelOf("duration"),
    },
  };
}

export interface RequestedImages {
  readonly firstFrameUrl: string | null;
  readonly lastFrameUrl: string | null;
  readonly referenceImageUrls: readonly string[];
  readonly referenceVideoUrls?: readonly string[];
  readonly referenceAudioUrls?: readonly string[];
  readonly draftTask?: string | null;
  readonly firstFrameParam: string;
  readonly lastFrameParam: string;
  readonly referencesParam: string;
  /** Absent for `content`. */
  readonly videosParam?: string;
  readonly audiosParam?: string;
  readonly draftParam?: string;
}

/** An order needs words, unless it begins with an image, changes a video, or ends a draft. */
const needsText = ({ firstFrameUrl, referenceVideoUrls, draftTask }: RequestedImages) =>
  firstFrameUrl === null && !referenceVideoUrls?.length && !draftTask;

type Inputs = Pick<VideoRequest, keyof typeof videoInputs>;

/** What a video is made from, where an order has a field for each kind. */
export const imagesOfFields = (given: Inputs): RequestedImages => ({
  firstFrameUrl: given.first_frame_url ?? null,
  lastFrameUrl: given.last_frame_url ?? null,
  referenceImageUrls: given.reference_images ?? [],
  referenceVideoUrls: given.reference_videos ?? [],
  referenceAudioUrls: given.reference_audios ?? [],
  draftTask: given.draft_task_id ?? null,
  firstFrameParam: "first_frame_url",
  lastFrameParam: "last_frame_url",
  referencesParam: "reference_images",
  videosParam: "reference_videos",
  audiosParam: "reference_audios",
  draftParam: "draft_task_id",
});

/** Throws for an order without words that needs some. */
export function assertText(parsed: ParsedPrompt, images: RequestedImages): void {
  if (parsed.prompt.trim() !== "" || !needsText(images)) return;
  throw new RelayError("invalid_value", {
    message: "`prompt` has no text: describe the video.",
    param: "prompt",
    fault: { name: "prompt_empty" },
  });
}

/** Reads a single call. Flags in its prompt count too: an upstream might obey them. */
export function requestedVideoOfCall(request: VideoRequest): RequestedVideo {
  const parsed = parsePrompt(request.prompt, true);
  const images = imagesOfFields(request);
  assertText(parsed, images);
  return requestedVideoOf(request, parsed, "prompt", images);
}

function unsupportedItem(param: string, message: string): RelayError {
  return new RelayError("unsupported_value", { message, param });
}

const frameNames = { first_frame: "first frame", last_frame: "last frame" } as const;
const isFrame = (role: string): role is keyof typeof frameNames => Object.hasOwn(frameNames, role);

function imagesOf(content: VideoTaskRequest["content"]): RequestedImages {
  const references: string[] = [];
  const drafts = content.flatMap((item) =>
    item.type === "draft_task" ? [item.draft_task.id] : [],
  );
  if (drafts.length > 1)
    throw unsupportedItem("content", "`content` has several drafts: send only one.");
  const frames: Partial<Record<keyof typeof frameNames, { url: string; param: string }>> = {};
  content.forEach((item, at) => {
    if (item.type !== "image_url") return;
    const { image_url } = item;
    const role = item.role ?? "first_frame";
    const param = `content[${at}]`;
    if (role === "reference_image") {
      references.push(image_url.url);
    } else if (isFrame(role)) {
      if (frames[role])
        throw unsupportedItem(
          param,
          `\`${param}\` is a second ${frameNames[role]}: send only one.`,
        );
      frames[role] = { url: image_url.url, param };
    } else {
      const message = `\`${param}.role\` is ${JSON.stringify(role)}: it must be one of ${imageRoles.join(", ")}.`;
      throw unsupportedItem(`${param}.role`, message);
    }
  });
  /** The first item of a kind. */
  const paramOf = (kind: string) => `content[${content.findIndex(({ type }) => type === kind)}]`;
  return {
    firstFrameUrl: frames.first_frame?.url ?? null,
    lastFrameUrl: frames.last_frame?.url ?? null,
    referenceImageUrls: references,
    referenceVideoUrls: content.flatMap((item) =>
      item.type === "video_url" ? [item.video_url.url] : [],
    ),
    referenceAudioUrls: content.flatMap((item) =>
      item.type === "audio_url" ? [item.audio_url.url] : [],
    ),
    draftTask: drafts[0] ?? null,
    videosParam: paramOf("video_url"),
    audiosParam: paramOf("audio_url"),
    draftParam: paramOf("draft_task"),
    firstFrameParam: frames.first_frame?.param ?? "content",
    lastFrameParam: frames.last_frame ? `${frames.last_frame.param}.role` : "content",
    referencesParam: "content",
  };
}

/** Reads the order of a task. */
export function requestedVideoOfTask(request: VideoTaskRequest): RequestedVideo {
  const { content } = request;
  const texts = content.flatMap((item, at) =>
    item.type === "text" ? [{ at, text: item.text }] : [],
  );
  const second = texts[1];
  if (second)
    throw unsupportedItem(
      `content[${second.at}]`,
      `\`content[${second.at}]\` is a second text item: send only one.`,
    );
  const images = imagesOf(content);
  const [own] = texts;
  const parsed = parsePrompt(own?.text ?? "");
  const promptParam = own ? `content[${own.at}].text` : "content";
  if (!parsed.fault && parsed.prompt.trim() === "" && needsText(images)) {
    const code = own ? "invalid_value" : "missing_required_parameter";
    throw new RelayError(code, {
      message: `\`${promptParam}\` has no text: describe the video.`,
      param: promptParam,
      fault: { name: "prompt_empty" },
    });
  }
  return requestedVideoOf(request, parsed, promptParam, images);
}
