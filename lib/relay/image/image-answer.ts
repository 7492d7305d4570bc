/** The answer to a call that waited for its images: in one body, or as the events of a stream. */
import { imageTokens } from "../../catalog/image-sizes";
import type { AnswerOf } from "../../contract/endpoint";
import type { Endpoints } from "../../contract/endpoints";
import type { ImageRequest } from "../../contract/image";
import type { EventKind, ImageEvent } from "../../contract/image-events";
import type { ImageLayer } from "../../contract/image-layer";
import { FRAMES_DEFAULT } from "../../contract/limits";
import type { Incoming } from "../../http/exchange";
import type { MediaStore } from "../../media/media-store";
import { taskError } from "../order/task-error";

export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly layer?: ImageLayer | null;
}

/** The images of an order as they are answered: each one's file, or why it is missing. */
export interface StoredImages {
  readonly items: readonly (StoredFile | { readonly error: string })[];
  readonly createdAt: number;
  readonly expiresAt: Date;
}

export interface Asked {
  readonly request: ImageRequest;
  /** What the names of its events begin with. */
  readonly kind: EventKind;
}

export const askedBy = (call: {
  readonly body: ImageRequest;
  readonly incoming: Pick<Incoming, "path">;
}): Asked => ({
  request: call.body,
  kind: call.incoming.path.endsWith("/edits") ? "image_edit" : "image_generation",
});

type Answer = AnswerOf<Endpoints["createImage"]>;
export type AnswerItem = Answer["data"][number];

/** An image as it is answered, or why it is missing. Rejects when its file cannot be read. */
export async function itemOf(
  media: MediaStore,
  { response_format: format }: ImageRequest,
  item: StoredImages["items"][number],
  expiresAt: Date,
): Promise<AnswerItem> {
  if ("error" in item) return { error: taskError(item.error) };
  const { file, bytes, width, height, layer } = item;
  const common = { size: `${width}x${height}`, ...layer };
  if (format !== "b64_json") return { url: media.link(file, expiresAt), ...common };
  const parts: Uint8Array[] = [];
  for await (const part of await media.read(file, 0, bytes)) parts.push(part);
  return { b64_json: Buffer.concat(parts).toString("base64"), ...common };
}

/** Whether a stored file may have several frames. */
export const isMoving = (file: string) => file.endsWith(".gif");

interface Counted extends Pick<StoredFile, "width" | "height"> {
  /** Null once it is removed. */
  readonly file: string | null;
}

export const usageOf = (files: readonly Counted[], frames = 1) => {
  const isStill = files.some(({ file }) => file !== null && !isMoving(file));
  const pixels = files.reduce((sum, { width, height }) => sum + imageTokens(width, height), 0);
  const tokens = isStill ? pixels : pixels * frames;
  return { generated_images: files.length, output_tokens: tokens, total_tokens: tokens };
};

/** The frames of each image that is ordered; undefined for images that stand still. */
export const framesOf = ({ output_format, frame_count }: ImageRequest): number | undefined =>
  output_format === "gif" ? (frame_count ?? FRAMES_DEFAULT) : undefined;

const usageOfItems = (items: StoredImages["items"], request: ImageRequest) =>
  usageOf(
    items.flatMap((item) => ("error" in item ? [] : [item])),
    framesOf(request),
  );

const seconds = (time: number) => Math.floor(time / 1000);

const lineOf = (event: ImageEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** The event of one image. `madeAt`: in milliseconds. */
export function eventText(
  { request: { model }, kind }: Asked,
  madeAt: number,
  at: number,
  item: AnswerItem,
): string {
  const { error, ...image } = item;
  const common = { model, created: seconds(madeAt), image_index: at };
  return lineOf(
    error
      ? { type: `${kind}.partial_failed`, ...common, error }
      : { type: `${kind}.partial_succeeded`, ...common, ...image },
  );
}

/** The event of a picture that is not finished. */
export const previewText = (
  { request: { model }, kind }: Asked,
  madeAt: number,
  index: number,
  bytes: readonly Uint8Array[],
): string => {
  const created = seconds(madeAt);
  const common = { model, created, created_at: created, partial_image_index: index };
  const b64_json = Buffer.concat(bytes).toString("base64");
  return lineOf({ type: `${kind}.partial_image`, ...common, b64_json });
};

/** The event of the end, which has the only image's bytes again, and the mark of the end. */
export function completedText(
  { request, kind }: Asked,
  { items, createdAt }: StoredImages,
  data: readonly AnswerItem[],
): string {
  const { model } = request;
  const created = seconds(createdAt);
  const [only] = data;
  const bytes = data.length === 1 ? only?.b64_json : undefined;
  const whole = bytes === undefined ? {} : { b64_json: bytes, size: only?.size };
  const usage = usageOfItems(items, request);
  const type = `${kind}.completed` as const;
  return `${lineOf({ type, model, created, created_at: created, ...whole, usage })}data: [DONE]\n\n`;
}

/** The text of the answer. Rejects when it should contain a file and the file cannot be read. */
export async function answerText(
  media: MediaStore,
  asked: Asked,
  stored: StoredImages,
): Promise<string> {
  const { items, createdAt, expiresAt } = stored;
  const { request } = asked;
  const { model } = request;
  const data: AnswerItem[] = [];
  for (const item of items) data.push(await itemOf(media, request, item, expiresAt));
  if (request.stream === true)
    return (
      data.map((item, at) => eventText(asked, createdAt, at, item)).join("") +
      completedText(asked, stored, data)
    );
  const usage = usageOfItems(items, request);
  const answer: Answer = { created: seconds(createdAt), model, data, usage };
  return JSON.stringify(answer);
}
