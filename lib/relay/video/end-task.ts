/** Ends a task with its charge. The first end wins; a later one changes nothing. */
import { findModel } from "../../catalog/models";
import type { Loss } from "../../ledger/core/verbs";
import type { VideoState } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import { chargeOf, settledUsage } from "../order/charge";
import { outcomeOf } from "../order/release-task";
import type { TaskRow } from "../order/task-row";
import { billOf, type VideoBill } from "./video-bill";
import type { VideoDeps } from "./video-deps";

export type Success = Extract<VideoState, { status: "succeeded" }>;

function noteBill(
  deps: VideoDeps,
  task: TaskRow,
  bill: VideoBill,
  { usageFault }: Success,
  isOverHold: boolean,
): void {
  const fields = { taskId: task.id, operationId: task.operationId, channelId: task.channelId };
  if (bill.isLoss)
    deps.log.error({ alarm: "usage_missing", ...fields }, "a video came without usage to bill");
  else if (bill.reported.source && usageFault !== null)
    deps.log.warn(fields, "a video had no usage; the size table was used instead");
  if (isOverHold) deps.log.error({ alarm: "usage_over_hold", ...fields }, "usage exceeds the hold");
}

/** Copies the file first, then charges the hold and marks the task as succeeded. */
export async function settleTask(
  deps: VideoDeps,
  task: TaskRow,
  channel: Channel,
  state: Success,
): Promise<void> {
  const source = state.needsCredential ? { ...channel, bearer: channel.apiKey } : channel;
  const { mediaId } = await deps.results.copyResult(source, state.videoUrl, task.accountId);
  const thumbnail = state.thumbnailUrl
    ? await deps.results.copyThumbnail(source, state.thumbnailUrl, task.accountId)
    : null;
  const lastFrame =
    state.lastFrameUrl && task.spec.settings?.return_last_frame
      ? await deps.results.copyThumbnail(source, state.lastFrameUrl, task.accountId)
      : null;
  const { price, multiplierPpm, holdAmount } = await deps.table.priceOf(task.operationId);
  const model = (await deps.table.modelOf(task.operationId)) ?? findModel(task.model);
  const bill = billOf(model, task.spec, state, price);
  const amount = chargeOf(bill.usage, price, multiplierPpm);
  noteBill(deps, task, bill, state, amount > holdAmount);
  const isCounted =
    state.outputTokens !== null || (state.usageFault === null && !bill.isLoss) || bill.isUncounted;
  deps.chooser.reportUsage(channel, isCounted);
  const loss: Loss | null = bill.isLoss
    ? {
        cause: "usage_missing",
        estimateAmount: holdAmount,
        detail: { fault: bill.reported.fault },
      }
    : null;
  const { operationId, accountId } = task;
  const request = {
    operationId,
    accountId,
    amount,
    usage: settledUsage("video", bill.usage, bill.reported),
    loss,
    outcome: outcomeOf(task),
  };
  const ended = await deps.ledger.settleTask(request, {
    mediaId,
    outputTokens: bill.usage.outputTokens,
    facts: {
      ...state.facts,
      ...(thumbnail !== null && { thumbnail }),
      ...(lastFrame !== null && { lastFrame }),
    },
  });
  if (ended.outcome === "released") {
    deps.log.error(
      { alarm: "late_success", taskId: task.id },
      "a video was ready after its points were given back",
    );
  }
}
