/**
 * `GET`, list and `DELETE` of images, however they were ordered. They read our own rows, so trouble
 * of an upstream does not affect them.
 */
import type pg from "pg";
import { orderReaderOf } from "../../accounts/order-reader";
import type { Endpoints } from "../../contract/endpoints";
import { isTaskOpen } from "../../contract/states";
import { RelayError } from "../../failures/relay-error";
import { type Call, jsonAnswer, type UseCase } from "../../http/serve";
import { hideResult } from "../../results/kept-settings";
import { findImage, listImages, type OrderedImage } from "../../results/ordered-images";
import { cancelUnsent, notCancellable } from "../order/cancel-unsent";
import type { TaskDeps } from "../order/task-deps";
import { taskFilterOf } from "../order/task-filter";
import type { ImageDeps } from "./image-operation";
import { imageViewOf } from "./image-view";

type ReadDeps = Pick<ImageDeps, "pool" | "media">;

async function findOwn(pool: pg.Pool, { principal, parameter }: Call): Promise<OrderedImage> {
  // Text of any other form never reaches the database.
  const isId = /^[0-9a-z_-]{1,44}$/.test(parameter);
  const found = isId ? await findImage(pool, orderReaderOf(principal), parameter) : undefined;
  if (!found) throw new RelayError("task_not_found", { message: "There is no such image." });
  return found;
}

export function createGetImage({ pool, media }: ReadDeps): UseCase<Endpoints["getImage"]> {
  return async (call) => jsonAnswer(call, imageViewOf(await findOwn(pool, call), media));
}

export function createListImages({ pool, media }: ReadDeps): UseCase<Endpoints["listImages"]> {
  return async (call) => {
    const filter = taskFilterOf(call.incoming.query);
    const { images, total } = await listImages(pool, orderReaderOf(call.principal), filter);
    return jsonAnswer(call, { items: images.map((image) => imageViewOf(image, media)), total });
  };
}

/** An upstream makes an image within one call, which cannot be taken back. */
const sent =
  "The image was sent to its upstream and can no longer be cancelled. It is charged once it is made, and costs nothing if it fails.";

async function cancel(deps: TaskDeps, { accountId, operationId, isTask }: OrderedImage) {
  const task = isTask ? await deps.table.findByOperation(accountId, operationId) : undefined;
  if (task === undefined || task.submitState !== "none") throw notCancellable(sent);
  await cancelUnsent(deps, task);
}

/** Cancels an image that nobody has sent yet; hides one that has ended, which changes no points. */
export function createDeleteImage(
  { pool }: ReadDeps,
  tasks: TaskDeps,
): UseCase<Endpoints["deleteImage"]> {
  return async (call) => {
    const image = await findOwn(pool, call);
    if (isTaskOpen(image.status)) await cancel(tasks, image);
    else await hideResult(pool, "image", image.accountId, image.id);
    return jsonAnswer(call, {});
  };
}
