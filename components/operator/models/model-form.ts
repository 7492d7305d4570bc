/** The fields of a model's form, and the model's file that they make. */
import { type RateRow, ratesOfRows, rowsOf } from "@/components/operator/prices/rate-rows";
import { imageOptions, imageSpec } from "@/lib/contract/image-spec";
import { type ModelFile, modelFile } from "@/lib/contract/model-file";
import { textSpec, videoSpec } from "@/lib/contract/model-spec";
import type { ModelDetail } from "@/lib/contract/operator-models";
import type { Family } from "@/lib/contract/states";

export interface ModelInput {
  id: string;
  aliases: string;
  enTitle: string;
  enSentence: string;
  zhTitle: string;
  zhSentence: string;
  rates: RateRow[];
  outputTokens: string;
  contextTokens: string;
  imageTokens: string;
  tools: boolean;
  reasoning: boolean;
  /** `listed`: only the lengths, or sizes, of a list. */
  lengths: "between" | "listed";
  secondsMin: string;
  secondsMax: string;
  secondsDefault: string;
  secondsListed: string;
  resolutions: string;
  ratios: string;
  audio: boolean;
  lastFrame: boolean;
  sizes: "between" | "listed";
  sizesListed: string;
  sideMin: string;
  sideMax: string;
  /** Of one image; empty for the square of the longest side. */
  pixelsMax: string;
  sizeDefault: string;
  /** Lines such as `16:9 1536x864`. */
  ratioSizes: string;
  qualities: string;
  /** Of a video or an image. */
  references: string;
}

export const emptyInput: ModelInput = {
  id: "",
  aliases: "",
  enTitle: "",
  enSentence: "",
  zhTitle: "",
  zhSentence: "",
  rates: [],
  outputTokens: "",
  contextTokens: "",
  imageTokens: "",
  tools: true,
  reasoning: true,
  lengths: "between",
  secondsMin: "",
  secondsMax: "",
  secondsDefault: "",
  secondsListed: "",
  resolutions: "720p",
  ratios: "16:9, 9:16",
  audio: false,
  lastFrame: false,
  sizes: "between",
  sizesListed: "",
  sideMin: "512",
  sideMax: "4096",
  pixelsMax: "",
  sizeDefault: "1024x1024",
  ratioSizes: "",
  qualities: "",
  references: "0",
};

const wordsOf = (text: string): string[] => text.split(/[\s,，、]+/).filter(Boolean);
/** As it was typed where it is no number, so that the refusal can name it. */
const numberOf = (text: string): number | string =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : text.trim();
const orNone = (text: string) => (text.trim() === "" ? null : numberOf(text));

function videoPart(input: ModelInput, before: ModelDetail | null) {
  const { pixels, offers } = before === null ? {} : videoSpec.parse(before.spec);
  return {
    durations:
      input.lengths === "listed"
        ? wordsOf(input.secondsListed).map(numberOf)
        : {
            min: numberOf(input.secondsMin),
            max: numberOf(input.secondsMax),
            default: numberOf(input.secondsDefault),
          },
    resolutions: wordsOf(input.resolutions),
    ratios: wordsOf(input.ratios),
    reference_images_max: numberOf(input.references),
    audio: input.audio,
    ...(input.lastFrame && { last_frame: true }),
    ...(pixels && { pixels }),
    ...(offers && { offers }),
  };
}

function imagePart(input: ModelInput, before: ModelDetail | null) {
  const qualities = wordsOf(input.qualities);
  const common = {
    // The form has no fields for these.
    ...(before !== null && imageOptions.parse(before.spec)),
    reference_images_max: numberOf(input.references),
    ...(qualities.length > 0 && { qualities }),
  };
  if (input.sizes === "listed") return { ...common, sizes: wordsOf(input.sizesListed) };
  const ratioSizes = input.ratioSizes.split("\n").filter((line) => line.trim() !== "");
  return {
    ...common,
    side_pixels_min: numberOf(input.sideMin),
    side_pixels_max: numberOf(input.sideMax),
    ...(input.pixelsMax.trim() !== "" && { pixels_max: numberOf(input.pixelsMax) }),
    size_default: input.sizeDefault.trim(),
    sizes: Object.fromEntries(
      ratioSizes.map((line) => {
        const [ratio = "", size = ""] = line.trim().split(/\s+/);
        return [ratio, size];
      }),
    ),
  };
}

function specOf(family: Family, input: ModelInput, before: ModelDetail | null): unknown {
  // Its limits are fixed.
  if (before?.model.isBuiltIn) return before.spec;
  if (family === "video") return videoPart(input, before);
  if (family === "image") return imagePart(input, before);
  const { offers } = before === null ? {} : textSpec.parse(before.spec);
  return {
    output_tokens_max: numberOf(input.outputTokens),
    context_tokens: orNone(input.contextTokens),
    image_tokens_max: orNone(input.imageTokens),
    tools: input.tools,
    reasoning: input.reasoning,
    ...(offers && { offers }),
  };
}

function namesOf({ enTitle, enSentence, zhTitle, zhSentence }: ModelInput) {
  const textOf = (title: string, sentence: string) =>
    title.trim() === "" && sentence.trim() === ""
      ? null
      : { title: title.trim(), sentence: sentence.trim() };
  const [en, chinese] = [textOf(enTitle, enSentence), textOf(zhTitle, zhSentence)];
  return en || chinese ? { ...(en && { en }), ...(chinese && { "zh-CN": chinese }) } : null;
}

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The file of what is typed. `before`: the model that is changed. */
export function contentOf(family: Family, input: ModelInput, before: ModelDetail | null) {
  const rates = ratesOfRows(input.rates);
  const isSamePrice = before !== null && sameText(rates, ratesOfRows(inputOf(before).rates));
  return {
    id: input.id.trim(),
    family,
    aliases: wordsOf(input.aliases),
    names: namesOf(input),
    spec: specOf(family, input, before),
    ...(rates.length > 0 && !isSamePrice && { rates }),
  };
}

/** The same, as far as it is whole. */
export function fileOf(...typed: Parameters<typeof contentOf>): ModelFile | null {
  return modelFile.safeParse(contentOf(...typed)).data ?? null;
}

function videoInput(stored: unknown): Partial<ModelInput> {
  const spec = videoSpec.parse(stored);
  const { durations } = spec;
  const first = <Name extends string>(names: readonly Name[], usual: Name) =>
    [usual, ...names.filter((name) => name !== usual)].join(", ");
  return {
    ...(Array.isArray(durations)
      ? { lengths: "listed", secondsListed: durations.join(", ") }
      : {
          lengths: "between",
          secondsMin: String(durations.min),
          secondsMax: String(durations.max),
          secondsDefault: String(durations.default),
        }),
    resolutions: first(spec.resolutions, spec.resolution_default),
    ratios: first(spec.ratios, spec.ratio_default),
    references: String(spec.reference_images_max),
    audio: spec.audio,
    lastFrame: spec.last_frame ?? false,
  };
}

function imageInput(stored: unknown): Partial<ModelInput> {
  const spec = imageSpec.parse(stored);
  const { sizes, qualities = [], quality_default: usual } = spec;
  return {
    ...(Array.isArray(sizes)
      ? {
          sizes: "listed",
          sizesListed: [
            spec.size_default,
            ...sizes.filter((size) => size !== spec.size_default),
          ].join(", "),
        }
      : {
          sizes: "between",
          sideMin: String(spec.side_pixels_min),
          sideMax: String(spec.side_pixels_max),
          pixelsMax: String(spec.pixels_max),
          sizeDefault: spec.size_default,
          ratioSizes: Object.entries(sizes)
            .map((pair) => pair.join(" "))
            .join("\n"),
        }),
    qualities: [usual ?? "", ...qualities.filter((each) => each !== usual)]
      .filter(Boolean)
      .join(", "),
    references: String(spec.reference_images_max),
  };
}

function textInput(stored: unknown): Partial<ModelInput> {
  const spec = textSpec.parse(stored);
  return {
    outputTokens: String(spec.output_tokens_max),
    contextTokens: String(spec.context_tokens ?? ""),
    imageTokens: String(spec.image_tokens_max ?? ""),
    tools: spec.tools,
    reasoning: spec.reasoning,
  };
}

const ofFamily = { text: textInput, video: videoInput, image: imageInput } as const;

/** The fields of a model as it is. */
export function inputOf({ model, names, spec }: ModelDetail): ModelInput {
  return {
    ...emptyInput,
    id: model.id,
    aliases: model.aliases.join(", "),
    enTitle: names?.en?.title ?? "",
    enSentence: names?.en?.sentence ?? "",
    zhTitle: names?.["zh-CN"]?.title ?? "",
    zhSentence: names?.["zh-CN"]?.sentence ?? "",
    rates: rowsOf(model.rates),
    ...ofFamily[model.family](spec),
  };
}
