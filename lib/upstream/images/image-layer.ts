/** Layers of an image, as Ark tells them. */
import type { ImageLayer } from "../../contract/image-layer";
import type { JsonObject } from "../provider";
import { asObject } from "../transport/upstream-json";

const LAYER_NAME_MAX = 200;
const LAYER_TEXT_MAX = 1000;
const Z_INDEX_MAX = 1000;

const isBox = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length === 4 && value.every(Number.isSafeInteger);

/** Text that the database and every answer can carry. */
const textOf = (value: unknown, most: number): string | null =>
  typeof value === "string" && value !== ""
    ? value
        .slice(0, most)
        .replace(/\p{Cc}/gu, " ")
        .toWellFormed()
    : null;

/** What an upstream says of an image that is a layer; null for one that is none. */
export function layerOf({
  z_index,
  bounding_box,
  name,
  description,
}: JsonObject): ImageLayer | null {
  if (!Number.isSafeInteger(z_index) || Number(z_index) < 0 || Number(z_index) > Z_INDEX_MAX)
    return null;
  const { absolute, normalized } = asObject(bounding_box) ?? {};
  const box = {
    ...(isBox(absolute) && { absolute }),
    ...(isBox(normalized) && { normalized }),
  };
  const [label, text] = [textOf(name, LAYER_NAME_MAX), textOf(description, LAYER_TEXT_MAX)];
  return {
    z_index: Number(z_index),
    ...(Object.keys(box).length > 0 && { bounding_box: box }),
    ...(label !== null && { name: label }),
    ...(text !== null && { description: text }),
  };
}
