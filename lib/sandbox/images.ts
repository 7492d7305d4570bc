/** `POST /images/generations` in Ark's format, with a real PNG of the requested size. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { imageTokens, parseImageSize } from "../catalog/image-sizes";
import { pause } from "../pause";
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
}

const SIDE_MAX = 8192;
const MAKING_MS = 1200;

const refusal = (code: string, message: string) => ({
  error: { code, message, type: "BadRequest", param: null },
});

/** What a model of the catalogue would refuse; null for other models, and for what it makes. */
function refusalOf(body: ImageBody): object | null {
  const model = offeredAs("image", body.model);
  if (model === undefined) return null;
  const { quality } = body;
  if (quality !== undefined && !model.qualities.some((each) => each === quality))
    return refusal("InvalidParameter.quality", "The model has no such quality.");
  if (model.sizes !== null && !model.sizes.some((each) => each === body.size))
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
  const size = parseImageSize(typeof body.size === "string" ? body.size : "2048x2048");
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
  const outputTokens = imageTokens(width, height);
  const entry = {
    id: `img-sandbox-${randomUUID()}`,
    isStream: false,
    inputTokens: 0,
    outputTokens,
    capTokens: null,
    isDelivered: false,
  };
  deps.requestLog.add(entry);
  const image =
    body.response_format === "b64_json"
      ? { b64_json: Buffer.from(file).toString("base64") }
      : { url: `${origin}${deps.results.keep(file, "image/png", order.isTruncated)}` };
  const count = order.reportedTokens ?? order.outputTokens ?? outputTokens;
  const usage = order.hasNoUsage
    ? {}
    : { usage: { generated_images: 1, output_tokens: count, total_tokens: count } };
  sendJson(response, 200, {
    model: body.model,
    created: Math.floor(Date.now() / 1000),
    data: [{ ...image, size: `${width}x${height}` }],
    ...usage,
  });
  entry.isDelivered = true;
}
