/** What an order of images asks for besides its size and quality: as far as its model has it. */
import type { ImageModel } from "../../catalog/models";
import { findModel } from "../../catalog/models";
import { type ImageRequest, imageRequest } from "../../contract/image";
import { overlays, type PassedImageField, passedImageFields } from "../../contract/media-fields";
import type { Price } from "../../pricing/rate";
import type { ImageSettings } from "../../upstream/media-provider";
import { framesOf } from "./image-answer";
import { refused } from "./image-count";

function format(request: ImageRequest, { id, options }: ImageModel): string | null {
  const asked = request.output_format ?? null;
  const { formats } = options;
  if (asked === null || formats.includes(asked)) return asked;
  if (formats.length === 0 && asked === "png") return null;
  throw refused("output_format", asked, `${id} allows ${formats.join(", ") || "png"}`);
}

function guidance(request: ImageRequest, { id, options }: ImageModel): number | null {
  const asked = request.guidance_scale ?? null;
  if (asked === null) return null;
  const { guidance: allowed } = options;
  if (allowed === null)
    throw refused("guidance_scale", asked, `${id} has no such setting; omit it`);
  if (asked >= allowed.min && asked <= allowed.max) return asked;
  throw refused("guidance_scale", asked, `${id} allows ${allowed.min} to ${allowed.max}`);
}

function promptMode(request: ImageRequest, { id, options }: ImageModel): string | null {
  const asked = request.optimize_prompt_options?.mode ?? null;
  const modes = options.promptModes;
  if (asked === null || modes.includes(asked)) return asked;
  if (modes.length === 0 && asked === "standard") return null;
  const allowed = modes.join(", ") || "only standard";
  throw refused("optimize_prompt_options.mode", asked, `${id} allows ${allowed}`);
}

/** The values that change nothing where a model does not take the field; a label never does. */
const withoutEffect: Readonly<Record<PassedImageField, readonly unknown[] | null>> = {
  background: ["auto", "opaque"],
  moderation: ["auto"],
  output_compression: [100],
  style: [],
  input_fidelity: ["low"],
  optimize_prompt: [],
  complexity: [],
  safety_identifier: null,
  user: null,
};

const { user, safety_identifier, ...withoutLabels } = imageRequest.shape;
const labels = { user, safety_identifier };

/** The fields that an order for the model knows: the others are named to the client. */
export function knownFields(name: string): object {
  const model = findModel(name);
  const passes = model?.family === "image" ? model.options.passes : [];
  const known = Object.entries(labels).filter(([label]) => passes.includes(label));
  return { ...withoutLabels, ...Object.fromEntries(known) };
}

function passed(request: ImageRequest, { id, options }: ImageModel): ImageSettings {
  const given: Partial<Record<PassedImageField, string | number | boolean>> = {};
  for (const name of passedImageFields) {
    const value = request[name];
    if (value === undefined || value === null) continue;
    const neutral = withoutEffect[name];
    if (options.passes.includes(name)) given[name] = value;
    else if (neutral !== null && !neutral.includes(value)) {
      const allowed = neutral.map((each) => JSON.stringify(each)).join(" and ");
      throw refused(
        name,
        value,
        allowed === "" ? `${id} has none; omit it` : `${id} allows only ${allowed}`,
      );
    }
  }
  return Object.keys(given).length > 0 ? { passed: given } : {};
}

const hasRate = ({ others = [] }: Price, unit: string) => others.some((rate) => rate.unit === unit);

/** How often each image is shown before it is finished: in a stream, at a rate of its own. */
function partialImages({ partial_images: asked, stream }: ImageRequest, price: Price): number {
  if (!asked) return 0;
  if (!hasRate(price, "partial_image"))
    throw refused("partial_images", asked, "only 0 is supported");
  if (stream !== true)
    throw refused("partial_images", asked, "it is only for `stream` true; send both or neither");
  return asked;
}

function hostedTools({ tools }: ImageRequest, { id, options }: ImageModel, price: Price) {
  if (!tools || tools.length === 0) return [];
  if (options.tools === null || !hasRate(price, "tool_call"))
    throw refused("tools", tools, "no tools are supported");
  const { types } = options.tools;
  const other = tools.find(({ type }) => !types.includes(type));
  if (other) throw refused("tools.type", other.type, `${id} allows ${types.join(", ")}`);
  return tools;
}

/** The picture that says where or how the others are edited. */
function overlayOf(request: ImageRequest, { id, options }: ImageModel) {
  const [name, other] = overlays.filter((each) => typeof request[each] === "string");
  if (name === undefined) return null;
  if (other !== undefined) throw refused(other, "…", `send only one of ${overlays.join(", ")}`);
  if (!options.passes.includes(name)) throw refused(name, "…", `${id} takes none; omit it`);
  if (request.image === undefined || request.image === null)
    throw refused(name, "…", "it is only for an order with `image`");
  return name;
}

function frames(request: ImageRequest): Pick<ImageSettings, "frames" | "frameMs"> {
  const count = framesOf(request);
  const { frame_duration_ms: frameMs } = request;
  if (count !== undefined)
    return { frames: count, ...(typeof frameMs === "number" && { frameMs }) };
  for (const name of ["frame_count", "frame_duration_ms"] as const)
    if (typeof request[name] === "number")
      throw refused(name, request[name], 'it is only for `output_format` "gif"');
  return {};
}

/** The settings that differ from the model's own. Throws for what the model does not have. */
export function orderedSettings(
  request: ImageRequest,
  model: ImageModel,
  price: Price,
): ImageSettings {
  const [outputFormat, guidanceScale, mode] = [
    format(request, model),
    guidance(request, model),
    promptMode(request, model),
  ];
  const isMarked = request.watermark === true;
  if (isMarked && !model.options.hasWatermark)
    throw refused("watermark", true, `${model.id} has none; omit it or send false`);
  const partial = partialImages(request, price);
  const tools = hostedTools(request, model, price);
  const overlay = overlayOf(request, model);
  return {
    ...(partial > 0 && { partialImages: partial }),
    ...(tools.length > 0 && { tools }),
    ...(overlay === "mask" && { hasMask: true }),
    ...(overlay === "markup" && { hasMarkup: true }),
    ...(request.layer_decomposition === true && { isLayered: true }),
    ...frames(request),
    ...(outputFormat !== null && { outputFormat }),
    ...(guidanceScale !== null && { guidanceScale }),
    ...(mode !== null && { promptMode: mode }),
    ...(isMarked && { watermark: true }),
    ...(request.sequential_image_generation === "auto" && { isSequence: true }),
    ...passed(request, model),
  };
}
