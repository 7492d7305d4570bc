/** The answer to a call that waited for its images: in one body, or as the events of a stream. */
import { imageTokens } from "../../catalog/image-sizes";
import type { AnswerOf } from "../../contract/endpoint";
import type { ImageRequest } from "../../contract/image";
import type { ImageEvent } from "../../contract/image-events";
import type { MediaStore } from "../../media/media-store";
import { taskError } from "../order/task-error";
import type { ImageRow } from "./image-operation";

export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** The images of an order as they are answered: each one's file, or why it is missing. */
export interface StoredImages {
  readonly items: readonly (StoredFile | { readonly error: string })[];
  readonly createdAt: number;
  readonly expiresAt: Date;
}

type Answer = AnswerOf<ImageRow>;
type Item = Answer["data"][number];

async function itemOf(
  media: MediaStore,
  { response_format: format }: ImageRequest,
  { file, bytes, width, height }: StoredFile,
  expiresAt: Date,
): Promise<Item> {
  const size = `${width}x${height}`;
  if (format !== "b64_json") return { url: media.link(file, expiresAt), size };
  const parts: Uint8Array[] = [];
  for await (const part of await media.read(file, 0, bytes)) parts.push(part);
  return { b64_json: Buffer.concat(parts).toString("base64"), size };
}

export const usageOf = (files: readonly Pick<StoredFile, "width" | "height">[]) => {
  const tokens = files.reduce((sum, { width, height }) => sum + imageTokens(width, height), 0);
  return { generated_images: files.length, output_tokens: tokens, total_tokens: tokens };
};

async function answerOf(
  media: MediaStore,
  request: ImageRequest,
  { items, createdAt, expiresAt }: StoredImages,
): Promise<Answer> {
  const data: Item[] = [];
  for (const item of items)
    data.push(
      "error" in item
        ? { error: taskError(item.error) }
        : await itemOf(media, request, item, expiresAt),
    );
  return {
    created: Math.floor(createdAt / 1000),
    model: request.model,
    data,
    usage: usageOf(items.flatMap((item) => ("error" in item ? [] : [item]))),
  };
}

/** An event for each image, and one for the end, which has the only image's bytes again. */
function eventsOf({ created, model, data, usage }: Answer): ImageEvent[] {
  const events: ImageEvent[] = data.map(({ error, ...image }, at) => {
    const common = { model, created, image_index: at };
    return error
      ? { type: "image_generation.partial_failed", ...common, error }
      : { type: "image_generation.partial_succeeded", ...common, ...image };
  });
  const [only] = data;
  const bytes = data.length === 1 ? only?.b64_json : undefined;
  const whole = bytes === undefined ? {} : { b64_json: bytes, size: only?.size };
  return [
    ...events,
    { type: "image_generation.completed", model, created, created_at: created, ...whole, usage },
  ];
}

const lineOf = (event: ImageEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** The text of the answer. Rejects when it should contain a file and the file cannot be read. */
export async function answerText(
  media: MediaStore,
  request: ImageRequest,
  stored: StoredImages,
): Promise<string> {
  const answer = await answerOf(media, request, stored);
  if (request.stream !== true) return JSON.stringify(answer);
  return `${eventsOf(answer).map(lineOf).join("")}data: [DONE]\n\n`;
}
