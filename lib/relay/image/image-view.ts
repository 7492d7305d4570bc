/** An image as the API client reads it by its id. */
import { imageTokens } from "../../catalog/image-sizes";
import type { ImageTaskView } from "../../contract/image-task";
import type { MediaStore } from "../../media/media-store";
import type { OrderedImage } from "../../results/ordered-images";
import { taskError } from "../order/task-error";

type Links = Pick<MediaStore, "link">;

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

function dataOf(image: OrderedImage, links: Links): Pick<ImageTaskView, "data" | "usage"> {
  const { file, expiresAt, isExpired } = image;
  const { width, height } = { ...image.spec, ...sizeOf(image) };
  const tokens = imageTokens(width, height);
  const shown =
    file === null || expiresAt === null || isExpired
      ? {
          message: `The link expired${expiresAt ? ` at ${expiresAt.toISOString()}` : ""}: links are valid for 24 hours.`,
        }
      : { url: links.link(file, expiresAt) };
  return {
    data: [{ ...shown, size: `${width}x${height}` }],
    usage: { generated_images: 1, output_tokens: tokens, total_tokens: tokens },
  };
}

const sizeOf = ({ width, height }: OrderedImage) =>
  width === null || height === null ? {} : { width, height };

type Opened = Pick<OrderedImage, "id" | "model" | "spec" | "createdAt">;

/** An order that has just become a task. */
export const openedViewOf = (opened: Opened): ImageTaskView => ({
  id: opened.id,
  model: opened.model,
  status: "queued",
  error: null,
  size: `${opened.spec.width}x${opened.spec.height}`,
  created_at: seconds(opened.createdAt),
  updated_at: seconds(opened.createdAt),
});

export function imageViewOf(image: OrderedImage, links: Links): ImageTaskView {
  const { status } = image;
  const hasFailed = status === "failed" || status === "cancelled" || status === "expired";
  return {
    ...openedViewOf(image),
    status,
    error: hasFailed ? taskError(image.errorCode) : null,
    ...(status === "succeeded" && dataOf(image, links)),
    updated_at: seconds(image.updatedAt),
  };
}
