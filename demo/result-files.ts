/** The files of the newest results, which the sandbox draws while the history is written. */
import { findModel } from "@/lib/catalog/models";
import { videoSize } from "@/lib/catalog/video-sizes";
import { newId } from "@/lib/ids";
import { LINK_SECONDS } from "@/lib/media/media-store";
import { createStudio } from "@/lib/sandbox/studio";
import type { AnyOrder, ImageOrder, VideoOrder } from "./orders";
import { HOUR } from "./rhythm";
import type { Writing } from "./writing";

/** Files are removed so long after their results. */
const KEPT = 30 * HOUR;

export const linkEnd = (settledAt: number) => new Date(settledAt + LINK_SECONDS * 1000);

export function pixelsOf(order: ImageOrder | VideoOrder): readonly [width: number, height: number] {
  if (order.family === "image") return [order.width, order.height];
  const model = findModel(order.model);
  const { resolution, ratio } = order.spec;
  if (model?.family !== "video" || ratio === "adaptive") throw new Error("not a video's size");
  return videoSize(model.sizeGeneration, resolution, ratio);
}

export interface ResultFiles {
  /** The id of the result's row; its file is stored if links to it work still. */
  store(order: ImageOrder | VideoOrder): Promise<string>;
  close(): Promise<void>;
}

const isDrawn = (order: AnyOrder): order is ImageOrder | VideoOrder =>
  order.family !== "text" &&
  order.hasFile &&
  order.failure === null &&
  (order.family === "image" || order.ending === "succeeded");

/** The row of a result whose file was removed meanwhile. */
async function writeRemoved(writing: Writing, order: ImageOrder | VideoOrder, id: string) {
  const { demo, given } = writing;
  const isVideo = order.family === "video";
  const [width, height] = pixelsOf(order);
  const removedAt = demo.clock.now() + KEPT;
  await demo.pool.query(
    `insert into media (id, account_id, kind, extension, content_type, bytes, width, height,
       created_at, stored_at, expires_at, deleted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now(), now(), $9, $10)`,
    [
      id,
      writing.person(order.person.email).accountId,
      order.family,
      isVideo ? "mp4" : "png",
      isVideo ? "video/mp4" : "image/png",
      Math.round(width * height * (isVideo ? 0.4 * order.spec.durationSeconds : 1.1)),
      isVideo ? null : width,
      isVideo ? null : height,
      new Date(removedAt),
      removedAt < given.end ? new Date(removedAt) : null,
    ],
  );
}

/** Starts to draw the files of `orders`. */
export function drawResults(writing: Writing, orders: readonly AnyOrder[]): ResultFiles {
  const studio = createStudio();
  const drawn = new Map<AnyOrder, Promise<Uint8Array>>();
  for (const order of orders.filter(isDrawn)) {
    const [width, height] = pixelsOf(order);
    const file =
      order.family === "image"
        ? studio.make({ kind: "png", prompt: order.prompt, width, height })
        : studio.make({
            kind: "mp4",
            prompt: order.spec.prompt,
            width,
            height,
            seconds: order.spec.durationSeconds,
          });
    // A failure is reported where the file is stored.
    file.catch(() => {});
    drawn.set(order, file);
  }
  return {
    async store(order) {
      const file = await drawn.get(order);
      if (file === undefined) {
        const id = newId("media");
        await writeRemoved(writing, order, id);
        return id;
      }
      const { accountId } = writing.person(order.person.email);
      drawn.delete(order);
      return (await writing.demo.media.keep(order.family, file, accountId)).mediaId;
    },
    close: () => studio.close(),
  };
}
