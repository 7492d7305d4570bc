/** `POST /images/generations` in Ark's format, with a real PNG of the requested size. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { imageTokens, parseImageSize } from "../catalog/image-sizes";
import { IMAGES_A_CALL_MAX } from "../contract/limits";
import { pause } from "../timing/pause";
import { isObject } from "../values/records";
import { sandboxError, sendJson } from "./chat-completions";
import { readMisbehaviour, withoutOrders } from "./misbehaviour";
import type { RequestLog } from "./request-log";
import type { Results } from "./results";
import { offeredAs } from "./sandbox-name";
import type { Studio } from "./studio";

interface ImageBody {
  readonly model?: unknown;
  readonly prompt?: unknown;
  readonly size?: unknown;
  readonly quality?: unknown;
  readonly response_format?: unknown;
  readonly n?: unknown;
  readonly sequential_image_generation?: unknown;
  readonly sequential_image_generation_options?: unknown;
  readonly guidance_scale?: unknown;
  readonly watermark?: unknown;
  readonly stream?: unknown;
}

const SIDE_MAX = 8192;
const MAKING_MS = 1200;

const refusal = (code: string, message: string) => ({
  error: { code, message, type: "BadRequest", param: null },
});

/** The number of images; where the model decides, the most that it may make. */
function countOf(body: ImageBody): number {
  if (body.sequential_image_generation !== "auto") return typeof body.n === "number" ? body.n : 1;
  const options = body.sequential_image_generation_options;
  const most = isObject(options) ? options.max_images : undefined;
  return typeof most === "number" ? most : IMAGES_A_CALL_MAX;
}

/** The size in pixels, also of one that the model has a name for; null when it is none. */
function sizeOf({ model, size }: ImageBody): readonly [width: number, height: number] | null {
  if (typeof size !== "string") return [2048, 2048];
  return parseImageSize(offeredAs("image", model)?.options.sizeNames[size] ?? size);
}

/** What a model of the catalogue would refuse; null for other models, and for what it makes. */
function refusalOf(body: ImageBody): object | null {
  const model = offeredAs("image", body.model);
  if (model === undefined) return null;
  const { quality } = body;
  if (quality !== undefined && !model.qualities.some((each) => each === quality))
    return refusal("InvalidParameter.quality", "The model has no such quality.");
  const { sizeNames, imagesMax, guidance, hasWatermark } = model.options;
  const isNamed = typeof body.size === "string" && Object.hasOwn(sizeNames, body.size);
  if (countOf(body) > imagesMax)
    return refusal("InvalidParameter.n", "The model makes fewer images.");
  if (body.watermark === true && !hasWatermark)
    return refusal("InvalidParameter.watermark", "The model has no watermark.");
  if (body.guidance_scale !== undefined && guidance === null)
    return refusal("InvalidParameter.guidance_scale", "The model has no such setting.");
  if (model.sizes !== null && !isNamed && !model.sizes.some((each) => each === body.size))
    return refusal("InvalidParameter.size", "The model has no such size.");
  return null;
}

/**
 * Answers one image request whose body was read. `pace`: 1 takes a realistic time, 0 only as long
 * as the drawing.
 */
export async function answerImage(
  response: ServerResponse,
  body: ImageBody,
  origin: string,
  deps: { requestLog: RequestLog; studio: Studio; results: Results; pace: number },
): Promise<void> {
  const text = typeof body.prompt === "string" ? body.prompt : "";
  const order = readMisbehaviour(text);
  const size = sizeOf(body);
  if (!size || Math.min(...size) < 1 || Math.max(...size) > SIDE_MAX)
    return sendJson(response, 400, refusal("InvalidParameter.size", "The size is invalid."));
  const refused = refusalOf(body);
  if (refused !== null) return sendJson(response, 400, refused);
  await pause(order.delayMs > 0 ? order.delayMs : MAKING_MS * deps.pace);
  if (order.isHanging || response.destroyed) return;
  if (order.isGarbage) return sendJson(response, 200, "<html>This is not JSON.</html>");
  if (order.status !== null) return sendJson(response, order.status, sandboxError(order.status));
  const [width, height] = size;
  const prompt = withoutOrders(text);
  const file = await deps.studio.make({ kind: "png", prompt, width, height });
  const ordered = countOf(body);
  const made = Math.max(0, ordered - order.missingImages);
  const outputTokens = made * imageTokens(width, height);
  const entry = {
    id: `img-sandbox-${randomUUID()}`,
    isStream: false,
    inputTokens: 0,
    outputTokens,
    capTokens: null,
    isDelivered: false,
  };
  deps.requestLog.add(entry);
  const image = () =>
    body.response_format === "b64_json"
      ? { b64_json: Buffer.from(file).toString("base64") }
      : { url: `${origin}${deps.results.keep(file, "image/png", order.isTruncated)}` };
  const count = order.reportedTokens ?? order.outputTokens ?? outputTokens;
  const usage = order.hasNoUsage
    ? {}
    : { usage: { generated_images: made, output_tokens: count, total_tokens: count } };
  const data = Array.from({ length: ordered }, (_, at) =>
    at < order.missingImages
      ? { error: { code: "OutputImageSensitiveContentDetected", message: "It was refused." } }
      : { ...image(), size: `${width}x${height}` },
  );
  const common = { model: body.model, created: Math.floor(Date.now() / 1000) };
  if (body.stream === true) await sendEvents(response, common, data, usage, deps.pace);
  else sendJson(response, 200, { ...common, data, ...usage });
  entry.isDelivered = true;
}

/** The images as events, one after another. */
async function sendEvents(
  response: ServerResponse,
  common: object,
  data: readonly object[],
  usage: object,
  pace: number,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (name: string, event: object) => {
    const type = `image_generation.${name}`;
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...common, ...event })}\n\n`);
  };
  for (const [at, item] of data.entries()) {
    if (at > 0) await pause(MAKING_MS * pace);
    const name = "error" in item ? "partial_failed" : "partial_succeeded";
    send(name, { image_index: at, ...item });
  }
  send("completed", usage);
  response.end("data: [DONE]\n\n");
}
