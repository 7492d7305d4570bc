/**
 * Images in one HTTP exchange: in Ark's wire format, which other instances of this product use too,
 * and in OpenAI's.
 */
import { usageDetails } from "../../contract/usage-details";
import { failureOf } from "../failure";
import type {
  ImageOrder,
  ImageProvider,
  ImageResult,
  MadeImage,
  MissingImage,
} from "../media-provider";
import type { Channel, JsonObject, UpstreamFailure } from "../provider";
import {
  isStorableUsage,
  isTokenCount,
  referenceOf,
  webAddress,
} from "../transport/answer-members";
import type { JsonCaller } from "../transport/json-caller";
import { failureOfOrder } from "../transport/media-failure";
import { asObject } from "../transport/upstream-json";
import { ImageEvents } from "./image-events";
import { layerOf } from "./image-layer";
import { LongStrings } from "./long-strings";

/** The image is generated during the call, so the deadline is longer than that of a poll. */
const DEADLINE_MS = 120_000;
/** For each further image of one call. */
const FURTHER_MS = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

type Style = "ark" | "openai";

function bodyOf(style: Style, channel: Channel, order: ImageOrder): JsonObject {
  const overlay = order.hasMask ? "mask" : order.hasMarkup ? "markup" : null;
  const [only, ...more] = overlay === null ? order.imageUrls : order.imageUrls.slice(0, -1);
  return {
    model: channel.models[order.model] ?? order.model,
    prompt: order.prompt,
    size: order.size,
    ...(only === undefined ? {} : { image: more.length === 0 ? only : [only, ...more] }),
    ...(overlay !== null && { [overlay]: order.imageUrls.at(-1) }),
    ...(order.isLayered && { layer_decomposition: true }),
    ...(order.frames !== undefined && { frame_count: order.frames }),
    ...(order.frameMs !== undefined && { frame_duration_ms: order.frameMs }),
    ...(order.tools && { tools: order.tools }),
    ...(order.partialImages && order.onPartial
      ? { stream: true, partial_images: order.partialImages }
      : {}),
    ...(order.seed === null ? {} : { seed: order.seed }),
    ...(order.quality ? { quality: order.quality } : {}),
    ...(order.outputFormat === undefined ? {} : { output_format: order.outputFormat }),
    ...(order.guidanceScale === undefined ? {} : { guidance_scale: order.guidanceScale }),
    ...(order.promptMode === undefined
      ? {}
      : { optimize_prompt_options: { mode: order.promptMode } }),
    ...order.passed,
    ...ofStyle[style](order),
  };
}

/** How each format asks for several images. */
const ofStyle: Readonly<Record<Style, (order: ImageOrder) => JsonObject>> = {
  // OpenAI's own models refuse `response_format`. Both forms of answer are accepted.
  openai: ({ count = 1, watermark, isLayered }) => ({
    ...(!isLayered && { n: count }),
    ...(watermark && { watermark }),
  }),
  ark: ({ count = 1, watermark = false, isSequence, isLayered, onImage }) => ({
    response_format: "url",
    watermark,
    ...(!isLayered && (count > 1 || isSequence)
      ? {
          sequential_image_generation: "auto",
          sequential_image_generation_options: { max_images: count },
          ...(onImage && { stream: true }),
        }
      : { sequential_image_generation: "disabled" }),
  }),
};

const badAnswer = (internal: string): ImageResult => ({
  isOk: false,
  failure: failureOf("upstream_bad_response", internal, { mayHaveCost: true }),
});

const failed = (error: unknown): ImageResult => ({ isOk: false, failure: failureOfOrder(error) });

function imageOf(item: JsonObject, longStrings: LongStrings): MadeImage | null {
  const url = webAddress(item.url);
  if (url !== null) return { url };
  if (typeof item.b64_json !== "string") return null;
  const long = longStrings.piecesOf(item.b64_json);
  if (long !== null) return long.length > 0 ? { bytes: long } : null;
  const encoded = item.b64_json.replace(/^data:image\/[\w.+-]+;base64,/, "");
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length > 0 ? { bytes: [bytes] } : null;
}

/** One item of the answer: an image, or why there is none. */
function readItem(item: unknown, longStrings: LongStrings): MadeImage | MissingImage {
  const given = asObject(item);
  if (given?.error) return { failure: failureOfOrder(given.error) };
  const internal = "an image without address or bytes";
  const bad = failureOf("upstream_bad_response", internal, { mayHaveCost: true });
  const image = given && imageOf(given, longStrings);
  if (!image) return { failure: bad };
  const layer = layerOf(given);
  return layer === null ? image : { ...image, layer };
}

/** What came of at most `count` images. The first failure tells of an answer without any. */
function readImages(body: JsonObject | null, longStrings: LongStrings, count: number): ImageResult {
  if (body?.error) return failed(body.error);
  const items = Array.isArray(body?.data) ? body.data.slice(0, count) : [];
  const images = items.map((item) => readItem(item, longStrings));
  const [first] = images;
  if (!body || first === undefined) return badAnswer("no image in the answer");
  if ("failure" in first && images.every((image) => "failure" in image))
    return { isOk: false, failure: first.failure };
  const usage = asObject(body.usage);
  const tokens = usage?.output_tokens;
  const { toolCalls } = usageDetails(usage ?? {}, { inputTokens: 0, outputTokens: 0 });
  return {
    isOk: true,
    images,
    outputTokens: isTokenCount(tokens) ? tokens : null,
    ...(toolCalls > 0 && { toolCalls }),
    reported: usage !== null && isStorableUsage(usage) ? usage : null,
    upstreamRef: referenceOf(body),
  };
}

/** A call that broke off after some of its images had come: those are made. */
function readBroken(images: readonly (MadeImage | MissingImage)[], failure: UpstreamFailure) {
  const isMade = images.some((image) => !("failure" in image));
  if (!isMade) return { isOk: false, failure } as const;
  const counts = { outputTokens: null, reported: null, upstreamRef: null };
  return { isOk: true, images: [...images, { failure }], ...counts } as const;
}

/** Whether an upstream refused that its answer comes as a stream: it has made nothing. */
const refusesStream = ({ status = 0, param, said = "" }: UpstreamFailure): boolean =>
  (status === 400 || status === 422) && /\b(stream|partial_images)\b/i.test(`${param} ${said}`);

/** Asks once, and reads what comes, each image as it does. */
async function generateOnce(
  caller: JsonCaller,
  channel: Channel,
  order: ImageOrder,
  body: JsonObject,
): Promise<ImageResult> {
  const { count = 1, onImage, onPartial, partialImages = 0 } = order;
  const longStrings = new LongStrings();
  const come: (MadeImage | MissingImage)[] = [];
  let shown = 0;
  const events = new ImageEvents(
    longStrings,
    count,
    (item) => {
      const image = readItem(item, longStrings);
      come.push(image);
      onImage?.(image);
    },
    (event) => {
      const image = imageOf(event, longStrings);
      if (image === null || shown >= partialImages * count) return;
      shown++;
      onPartial?.({ image, index: Number(event.partial_image_index ?? 0) || 0 });
    },
  );
  const answer = await caller.call(channel, {
    method: "POST",
    path: "/images/generations",
    body,
    inlineImages: order.inlineImages,
    bodyReader: events,
    deadlineMs: DEADLINE_MS + FURTHER_MS * (count - 1),
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const result = answer.isOk
    ? readImages(answer.body, longStrings, count)
    : readBroken(come, answer.failure);
  return result.isOk && shown > 0 ? { ...result, partialImages: shown } : result;
}

export function createImageProvider(style: Style, caller: JsonCaller): ImageProvider {
  return {
    async generate(channel, order) {
      const body = bodyOf(style, channel, order);
      const result = await generateOnce(caller, channel, order, body);
      if (result.isOk || body.stream !== true || !refusesStream(result.failure)) return result;
      // The images come all at once then, and none is shown before.
      const { onImage: _, onPartial: __, ...plain } = order;
      return generateOnce(caller, channel, plain, bodyOf(style, channel, plain));
    },
  };
}
