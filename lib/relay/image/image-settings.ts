/** What an order of images asks for besides its size and quality: as far as its model has it. */
import type { ImageModel } from "../../catalog/models";
import { findModel } from "../../catalog/models";
import { type ImageRequest, imageRequest } from "../../contract/image";
import { MASK, type PassedImageField, passedImageFields } from "../../contract/media-fields";
import { RelayError } from "../../failures/relay-error";
import type { Price } from "../../pricing/rate";
import type { ImageSettings } from "../../upstream/media-provider";

function refused(param: string, value: unknown, allowed: string): RelayError {
  const message = `\`${param}\` is ${JSON.stringify(value).slice(0, 60)}: ${allowed}.`;
  return new RelayError("unsupported_value", { message, param });
}

/** The most images that the order may make. */
export function orderedCount(request: ImageRequest, { id, options }: ImageModel): number {
  const { n, sequential_image_generation: sequence } = request;
  const { imagesMax } = options;
  const most = request.sequential_image_generation_options?.max_images ?? null;
  if (typeof n === "number" && n > imagesMax)
    throw new RelayError("n_not_supported", {
      param: "n",
      message:
        imagesMax === 1
          ? `\`n\` is ${n}: only one image per call is supported; omit it or send 1.`
          : `\`n\` is ${n}: ${id} makes at most ${imagesMax} images per call.`,
    });
  if (sequence !== "auto") {
    if (most !== null && most > 1)
      throw refused(
        "sequential_image_generation_options.max_images",
        most,
        'it is only for `sequential_image_generation` "auto"',
      );
    return typeof n === "number" ? n : 1;
  }
  if (imagesMax === 1)
    throw refused("sequential_image_generation", sequence, `${id} makes one image per call`);
  if (typeof n === "number" && n > 1)
    throw refused("n", n, '`sequential_image_generation` "auto" has its number in max_images');
  if (most !== null && most > imagesMax)
    throw refused(
      "sequential_image_generation_options.max_images",
      most,
      `${id} makes at most ${imagesMax} images per call`,
    );
  return most ?? imagesMax;
}

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

function hasMask({ mask, image }: ImageRequest, { id, options }: ImageModel): boolean {
  if (typeof mask !== "string") return false;
  if (!options.passes.includes(MASK)) throw refused("mask", "…", `${id} takes none; omit it`);
  if (image === undefined || image === null)
    throw refused("mask", "…", "it is only for an order with `image`");
  return true;
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
  return {
    ...(partial > 0 && { partialImages: partial }),
    ...(tools.length > 0 && { tools }),
    ...(hasMask(request, model) && { hasMask: true }),
    ...(outputFormat !== null && { outputFormat }),
    ...(guidanceScale !== null && { guidanceScale }),
    ...(mode !== null && { promptMode: mode }),
    ...(isMarked && { watermark: true }),
    ...(request.sequential_image_generation === "auto" && { isSequence: true }),
    ...passed(request, model),
  };
}
