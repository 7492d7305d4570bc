/**
 * Refuses what a model does not offer of an order, and what its price has no rate for: nothing
 * reaches an upstream whose cost has no bound.
 */
import type { VideoModel } from "../../catalog/models";
import { secondsOfFrames } from "../../catalog/video-sizes";
import { isSet, type SettingName } from "../../contract/video-settings";
import { RelayError } from "../../failures/relay-error";
import type { Price } from "../../pricing/price";
import type { RequestedVideo } from "./requested-order";

const refused = (param: string, message: string) =>
  new RelayError("unsupported_value", { param, message });

const list = (values: readonly string[]) => values.join(", ");

function assertFrames({ settings: { frames } }: RequestedVideo, model: VideoModel): void {
  if (frames === undefined) return;
  const { durationSecondsMin: min, durationSecondsMax: max } = model;
  if (!model.offers.frames)
    throw refused("frames", `\`frames\` is ${frames}: ${model.id} takes a duration only.`);
  const seconds = secondsOfFrames(frames);
  if ((frames - 25) % 4 === 0 && seconds >= min && seconds <= max) return;
  throw refused(
    "frames",
    `\`frames\` is ${frames}: ${model.id} allows 25 + 4n frames, of ${min} to ${max} seconds.`,
  );
}

/** Words of which a model lists those that it knows. */
function assertListed(
  { settings }: RequestedVideo,
  model: VideoModel,
  name: "output_format" | "omni_reference_task_type",
  allowed: readonly string[],
): void {
  const value = settings[name];
  if (value === undefined || !isSet(settings, name) || allowed.includes(value)) return;
  const options = allowed.length === 0 ? "only none" : list(allowed);
  throw refused(name, `\`${name}\` is ${JSON.stringify(value)}: ${model.id} allows ${options}.`);
}

function assertTools({ settings }: RequestedVideo, model: VideoModel, price: Price): void {
  const { tools = [] } = settings;
  if (tools.length === 0) return;
  const { types = [] } = model.offers.tools ?? {};
  const other = tools.find(({ type }) => !types.includes(type));
  if (other) {
    const allowed = types.length === 0 ? "no tools" : list(types);
    throw refused("tools", `\`tools\` has ${other.type}: ${model.id} allows ${allowed}.`);
  }
  if (!price.others?.some(({ unit }) => unit === "tool_call"))
    throw refused("tools", `\`tools\` has ${list(types)}: ${model.id} has no price for its calls.`);
}

const switches = ["draft", "priority"] as const satisfies readonly SettingName[];

function assertSwitches({ settings }: RequestedVideo, model: VideoModel, price: Price): void {
  for (const name of switches)
    if (isSet(settings, name) && !model.offers[name])
      throw refused(name, `\`${name}\` is ${settings[name]}: ${model.id} does not have it.`);
  if (settings.service_tier !== "flex") return;
  if (!model.offers.flex)
    throw refused("service_tier", `\`service_tier\` is "flex": ${model.id} has only "default".`);
  if (!price.others?.some(({ tier }) => tier === "flex"))
    throw refused("service_tier", `\`service_tier\` is "flex": ${model.id} has no price for it.`);
}

function assertCount(name: string, param: string, sent: number, most: number, model: VideoModel) {
  if (sent <= most) return;
  const allowed = most === 0 ? "does not take any" : `allows at most ${most}`;
  throw refused(param, `\`${param}\` has ${sent} reference ${name}: ${model.id} ${allowed}.`);
}

function assertFiles(requested: RequestedVideo, model: VideoModel): void {
  const { referenceVideoUrls: videos, referenceAudioUrls: audios, params } = requested;
  const { referenceImageUrls: images, firstFrameUrl, lastFrameUrl } = requested;
  const { input_videos, input_audios_max = 0, assets } = model.offers;
  assertCount("videos", params.videos, videos.length, input_videos?.max ?? 0, model);
  assertCount("sounds", params.audios, audios.length, input_audios_max, model);
  if (audios.length > 0 && images.length === 0 && videos.length === 0)
    throw refused(params.audios, "A sound needs a reference image or a video beside it.");
  if (videos.length > 0 && firstFrameUrl !== null)
    throw refused(params.videos, "A first frame and a video cannot be combined: send one of them.");
  const asset = [...videos, ...audios, ...images, firstFrameUrl, lastFrameUrl].find((url) =>
    url?.startsWith("asset:"),
  );
  if (asset && !assets)
    throw refused(params.references, `${asset.slice(0, 60)}: ${model.id} takes no asset: URLs.`);
}

function assertDraft(requested: RequestedVideo, model: VideoModel): void {
  if (requested.draftTask === null) return;
  const { params, prompt, firstFrameUrl, settings } = requested;
  if (!model.offers.draft) throw refused(params.draft, `${model.id} makes no drafts.`);
  const isAlone =
    prompt === "" &&
    firstFrameUrl === null &&
    requested.referenceImageUrls.length === 0 &&
    requested.referenceVideoUrls.length === 0;
  if (!isAlone || isSet(settings, "draft") || settings.frames !== undefined)
    throw refused(
      params.draft,
      "A draft is made into its video as it is: send no text, image, video, frames or draft with it.",
    );
}

/** Throws `unsupported_value` for the first thing that the model does not offer. */
export function assertOffered(requested: RequestedVideo, model: VideoModel, price: Price): void {
  assertFiles(requested, model);
  assertDraft(requested, model);
  assertSwitches(requested, model, price);
  assertFrames(requested, model);
  assertTools(requested, model, price);
  assertListed(requested, model, "output_format", model.offers.output_formats ?? []);
  assertListed(requested, model, "omni_reference_task_type", model.offers.reference_tasks ?? []);
}
