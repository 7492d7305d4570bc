/** The final video of a draft is ordered where the draft was made. */
import { orderReaderOf } from "../../accounts/order-reader";
import type { Principal } from "../../accounts/principal";
import { invalidValue } from "../../failures/relay-error";
import type { VideoImages } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import type { TaskRow } from "../order/task-row";
import type { VideoDeps } from "./video-deps";
import type { VideoPurchase } from "./video-order";
import { isTaskId } from "./video-tasks";

/** What an order is made from, and the channels that cannot make it. */
export interface Source {
  readonly images: VideoImages;
  readonly excluded: readonly Channel[];
}

/** What finds the draft of an order, and the channels. */
export type SourceDeps = Pick<VideoDeps, "chooser" | "table">;

function elsewhere({ chooser }: SourceDeps, draft: TaskRow): Channel[] {
  return chooser.offered(draft.model).flatMap((channel) => {
    if (channel.id !== draft.channelId) return [channel];
    const { choices = [] } = channel;
    return choices.filter(({ credential }) => credential?.name !== draft.channelCredential);
  });
}

/** Throws `invalid_value` for a draft that is not the caller's, or is none of the model. */
export async function sourceOf(
  deps: SourceDeps,
  principal: Principal,
  { images, model, spec: { draftTask: id } }: Pick<VideoPurchase, "images" | "model" | "spec">,
): Promise<Source> {
  if (id === undefined) return { images, excluded: [] };
  const draft = isTaskId(id) ? await deps.table.findFor(orderReaderOf(principal), id) : undefined;
  const isDraft = draft?.status === "succeeded" && draft.spec.settings?.draft === true;
  if (!isDraft || draft.model !== model.id || draft.upstreamRef === null)
    throw invalidValue(
      "draft_task",
      `The task ${JSON.stringify(id.slice(0, 60))} is no finished draft of ${model.id}.`,
    );
  return { images: { ...images, draftRef: draft.upstreamRef }, excluded: elsewhere(deps, draft) };
}
