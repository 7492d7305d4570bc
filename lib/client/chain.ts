/** How a result is used for the next video: the same on its page, in the studio and in links. */
import { isTaskOpen } from "../contract/states";
import type { TaskView } from "../contract/tasks";
import { lastPictureAt, pictureAt } from "./picture-file";
import { ownPath } from "./result-url";

/**
 * `animate`: an image is the first frame. `continue`: a video's last frame is the first one.
 * `reference`: an image shows what is in the video. `final`: a draft is made into its video.
 */
export const chainUses = ["animate", "continue", "reference", "final"] as const;
export type ChainUse = (typeof chainUses)[number];

/** The uses of a result whose file is there. */
export function usesOf({ family, status, settings }: TaskView): ChainUse[] {
  if (isTaskOpen(status) || status !== "succeeded") return [];
  if (family === "image") return ["animate", "reference"];
  return settings.more.draft ? ["final", "continue"] : ["continue"];
}

/** The address of the studio with a result in its form; `image`: which one of several, from 0. */
export const chainHref = ({ id }: Pick<TaskView, "id">, use: ChainUse, image = 0): string =>
  `/playground/video?from=${encodeURIComponent(id)}&as=${use}${image > 0 ? `&image=${image}` : ""}`;

/** The picture of a result for the next video; null where its file is not there any more. */
export async function pictureForChain(
  { result, files }: TaskView,
  use: Exclude<ChainUse, "final">,
  image: number,
): Promise<string | null> {
  const { lastFrameUrl } = result ?? { lastFrameUrl: null };
  const url = files[image]?.url ?? result?.url ?? null;
  if (use !== "continue") return url === null ? null : pictureAt(ownPath(url));
  if (lastFrameUrl !== null) return pictureAt(ownPath(lastFrameUrl));
  return url === null ? null : lastPictureAt(ownPath(url));
}
