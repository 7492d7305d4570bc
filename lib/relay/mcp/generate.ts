/** The tools that order: an image, which the call waits for, and a video, which it does not. */
import type { z } from "zod";
import type { toolInputs } from "../../contract/mcp";
import type { ImageRole } from "../../contract/states";
import { isObject } from "../../values/records";
import type { Ask } from "./ask";
import { modelOr } from "./only-model";
import { pictureAt } from "./picture";
import { answered, type ToolResult, toolResult } from "./results";
import { type ToolCall, withProgress } from "./tool-call";

type ImageInput = z.infer<typeof toolInputs.generate_image>;
type VideoInput = z.infer<typeof toolInputs.generate_video>;

function linkIn({ data }: Record<string, unknown>): string | null {
  const [first]: unknown[] = Array.isArray(data) ? data : [];
  return isObject(first) && typeof first.url === "string" ? first.url : null;
}

/** The answer, with the image that it links to where that is small. */
export async function withPicture(
  ask: Ask,
  isOk: boolean,
  answer: Record<string, unknown>,
): Promise<ToolResult> {
  const link = isOk ? linkIn(answer) : null;
  return toolResult(answer, isOk, link === null ? null : await pictureAt(link, ask));
}

async function orderImage({ ask }: ToolCall, input: ImageInput): Promise<ToolResult> {
  const { idempotency_key: idempotencyKey, ...fields } = input;
  const path = "/v1/images/generations";
  const body = { ...fields, model: await modelOr(ask, "image", fields.model) };
  const { isOk, answer } = await answered(ask, { method: "POST", path, body, idempotencyKey });
  return withPicture(ask, isOk, answer);
}

export const generateImage = (call: ToolCall, input: ImageInput): Promise<ToolResult> =>
  withProgress(call, "The image is being made.", orderImage(call, input));

const imageItem = (url: string, role: ImageRole) => ({
  type: "image_url",
  image_url: { url },
  role,
});

async function orderVideo({ ask }: ToolCall, input: VideoInput): Promise<ToolResult> {
  const { idempotency_key: idempotencyKey, prompt, ...fields } = input;
  const { first_frame_url: first, last_frame_url: last, ...others } = fields;
  const { reference_images: references, ...settings } = others;
  const content = [
    { type: "text", text: prompt },
    ...(first ? [imageItem(first, "first_frame")] : []),
    ...(last ? [imageItem(last, "last_frame")] : []),
    ...(references ?? []).map((url) => imageItem(url, "reference_image")),
  ];
  const path = "/v1/contents/generations/tasks";
  const body = { ...settings, model: await modelOr(ask, "video", settings.model), content };
  const { isOk, answer } = await answered(ask, { method: "POST", path, body, idempotencyKey });
  return toolResult(answer, isOk);
}

export const generateVideo = (call: ToolCall, input: VideoInput): Promise<ToolResult> =>
  withProgress(call, "The video is being ordered.", orderVideo(call, input));
