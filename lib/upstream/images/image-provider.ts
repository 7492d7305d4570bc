/**
 * Images in one HTTP exchange: in Ark's wire format, which other instances of this product use too,
 * and in OpenAI's.
 */
import { failureOf } from "../failure";
import type { ImageOrder, ImageProvider, ImageResult } from "../media-provider";
import type { Channel, JsonObject } from "../provider";
import {
  isStorableUsage,
  isTokenCount,
  referenceOf,
  webAddress,
} from "../transport/answer-members";
import type { JsonCaller } from "../transport/json-caller";
import { failureOfOrder } from "../transport/media-failure";
import { asObject } from "../transport/upstream-json";
import { LongStrings } from "./long-strings";

/** The image is generated during the call, so the deadline is longer than that of a poll. */
const limits = { deadlineMs: 120_000, answerBytesMax: 64 * 1024 * 1024 };

type Style = "ark" | "openai";

function bodyOf(style: Style, channel: Channel, order: ImageOrder): JsonObject {
  const [only, ...more] = order.imageUrls;
  return {
    model: channel.models[order.model] ?? order.model,
    prompt: order.prompt,
    size: `${order.width}x${order.height}`,
    ...(only === undefined ? {} : { image: more.length === 0 ? only : order.imageUrls }),
    ...(order.seed === null ? {} : { seed: order.seed }),
    ...(order.quality ? { quality: order.quality } : {}),
    // OpenAI's own models refuse `response_format`. Both forms of answer are accepted.
    ...(style === "openai"
      ? { n: 1 }
      : { response_format: "url", watermark: false, sequential_image_generation: "disabled" }),
  };
}

const badAnswer = (internal: string): ImageResult => ({
  isOk: false,
  failure: failureOf("upstream_bad_response", internal, { mayHaveCost: true }),
});

const failed = (error: unknown): ImageResult => ({ isOk: false, failure: failureOfOrder(error) });

function imageOf(
  item: JsonObject,
  longStrings: LongStrings,
): { url: string } | { bytes: readonly Uint8Array[] } | null {
  const url = webAddress(item.url);
  if (url !== null) return { url };
  if (typeof item.b64_json !== "string") return null;
  const long = longStrings.piecesOf(item.b64_json);
  if (long !== null) return long.length > 0 ? { bytes: long } : null;
  const encoded = item.b64_json.replace(/^data:image\/[\w.+-]+;base64,/, "");
  const bytes = Buffer.from(encoded, "base64");
  return bytes.length > 0 ? { bytes: [bytes] } : null;
}

function readImage(body: JsonObject | null, longStrings: LongStrings): ImageResult {
  if (body?.error) return failed(body.error);
  const item = Array.isArray(body?.data) ? asObject(body.data[0]) : null;
  if (!body || !item) return badAnswer("no image in the answer");
  if (item.error) return failed(item.error);
  const image = imageOf(item, longStrings);
  if (!image) return badAnswer("an image without address or bytes");
  const usage = asObject(body.usage);
  const tokens = usage?.output_tokens;
  return {
    isOk: true,
    image,
    outputTokens: isTokenCount(tokens) ? tokens : null,
    reported: usage !== null && isStorableUsage(usage) ? usage : null,
    upstreamRef: referenceOf(body),
  };
}

export function createImageProvider(style: Style, caller: JsonCaller): ImageProvider {
  return {
    async generate(channel, order) {
      const body = bodyOf(style, channel, order);
      const longStrings = new LongStrings();
      const answer = await caller.call(channel, {
        method: "POST",
        path: "/images/generations",
        body,
        inlineImages: order.inlineImages,
        bodyReader: longStrings,
        ...limits,
      });
      return answer.isOk
        ? readImage(answer.body, longStrings)
        : { isOk: false, failure: answer.failure };
    },
  };
}
