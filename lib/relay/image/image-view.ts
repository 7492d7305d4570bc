/** An image as the API client reads it by its id. */
import type { ImageTaskView } from "../../contract/image-task";
import type { MediaStore } from "../../media/media-store";
import type { OrderedImage } from "../../results/ordered-images";
import { taskError } from "../order/task-error";
import { usageOf } from "./image-answer";

type Links = Pick<MediaStore, "link">;

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

type Item = NonNullable<ImageTaskView["data"]>[number];

function itemOf(
  item: NonNullable<OrderedImage["items"]>[number],
  { spec, expiresAt, isExpired }: OrderedImage,
  links: Links,
): Item {
  if ("error" in item) return { error: taskError(item.error) };
  const { file, layer } = item;
  const { width, height } = sizeOf(item, spec);
  const common = { size: `${width}x${height}`, ...layer };
  if (file !== null && expiresAt !== null && !isExpired)
    return { url: links.link(file, expiresAt), ...common };
  const at = expiresAt ? ` at ${expiresAt.toISOString()}` : "";
  return { message: `The link expired${at}: links are valid for 24 hours.`, ...common };
}

/** Of a file that is removed, the size that was ordered. */
const sizeOf = (
  { width, height }: { readonly width: number | null; readonly height: number | null },
  spec: OrderedImage["spec"],
) => (width === null || height === null ? spec : { width, height });

function dataOf(image: OrderedImage, links: Links): Pick<ImageTaskView, "data" | "usage"> {
  const items = image.items ?? [];
  const made = items.flatMap((item) =>
    "error" in item ? [] : [{ file: item.file, ...sizeOf(item, image.spec) }],
  );
  const usage = usageOf(made, image.spec.settings?.frames);
  return { data: items.map((item) => itemOf(item, image, links)), usage };
}

const orderedSize = ({ sizeName, width, height }: OrderedImage["spec"]) =>
  sizeName ?? `${width}x${height}`;

type Opened = Pick<OrderedImage, "id" | "model" | "spec" | "createdAt">;

/** An order that has just become a task. */
export const openedViewOf = (opened: Opened): ImageTaskView => ({
  id: opened.id,
  model: opened.model,
  status: "queued",
  error: null,
  size: orderedSize(opened.spec),
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
