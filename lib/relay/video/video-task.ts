/**
 * The state machine of a video: submit it once, ask until it has ended, copy it, end it. Whoever comes second changes nothing.
 *
 * Only the process that opened a task may send it, and only while its caller waits: the answer 200 comes after the upstream has it.
 *
 * | status, submit_state | in the database | what the caller was told | where its process is gone, or has let go |
 * | --- | --- | --- | --- |
 * | no row | nothing, or an opening that is still to be committed | nothing yet, or 503 | as the next row, once it is committed |
 * | queued, none | hold and task | nothing yet, or 503 | given back (`order_interrupted`); a retry with its Idempotency-Key may send it before |
 * | queued, intent | what upstream it goes to, before the bytes leave | nothing yet, or 503, or 200 while the upstream's id is still to be written | given back with a loss: the upstream may have it. Never sent again |
 * | queued, accepted · running | the upstream's id | 200, or 504 with the task's id | any process asks for it, and charges what succeeds |
 * | succeeded | the charge, in the same commit | the video | nothing |
 * | failed · cancelled · expired | the release, in the same commit | the failure | nothing |
 *
 * So a caller who was told 503 has nothing at an upstream that could be charged, and one who was told 200 has a task that a worker ends.
 */

import type { LossCause } from "../../contract/states";
import { isRelayError, RelayError } from "../../errors";
import type { EndResult, Loss, Outcome } from "../../ledger/verbs";
import { pause } from "../../pause";
import type { VideoImages, VideoOrder, VideoState } from "../../upstream/media-provider";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { chargeOf } from "../order/charge";
import { channelAfter } from "../order/failover";
import { billOf, type VideoBill } from "./video-bill";
import type { VideoParts } from "./video-parts";
import type { TaskRow, VideoTask } from "./video-table";

type Success = Extract<VideoState, { status: "succeeded" }>;

const FIRST_POLL_SECONDS = 1;
const NOTE_RETRY_MS = 500;
/** Far below the time after which others take a submit for lost. The caller waits no longer; the id is kept all the same. */
const NOTE_PATIENCE_MS = 5000;
/** Beyond the longest outage that is worth waiting out in memory. */
const NOTE_PATIENCE_MS_MAX = 3600_000;
/** A submit without an id is looked at again before it is given up: its process may be about to write the id. */
const LOST_LOOKS = 2;
/** An upstream may know a new task only after a moment: so many answers in a row make one gone. */
const GONE_ANSWERS = 3;

/** A file that cannot be kept is fetched so many times before its task is given up. */
const FINAL_COPIES = 3;

const isFinal = (error: unknown) => (error as { isFinal?: unknown } | null)?.isFinal === true;

function outcomeOf({ channelId, upstreamRef, createdAt }: VideoTask): Outcome {
  const durationMs = Math.max(0, Date.now() - createdAt.getTime());
  return { channelId, upstreamRef, isStream: false, durationMs, firstByteMs: null, isAbandoned: false };
}

export interface Failing {
  readonly status: "failed" | "cancelled" | "expired";
  readonly code: string;
  /** Set when the upstream may bill us for what nobody pays. */
  readonly lossCause?: LossCause | null;
}

/** Gives the points back and shows the task as ended. */
export async function releaseTask(parts: VideoParts, task: VideoTask, { status, code, lossCause }: Failing): Promise<EndResult> {
  const loss: Loss | null = lossCause
    ? { cause: lossCause, estimateAmount: (await parts.table.priceOf(task.operationId)).holdAmount, detail: { code } }
    : null;
  const { operationId, accountId } = task;
  const request = { operationId, accountId, reason: code, loss, outcome: outcomeOf(task) };
  return parts.ledger.releaseTask(request, { status, errorCode: code });
}

function noteBill(parts: VideoParts, task: VideoTask, bill: VideoBill, isOverHold: boolean): void {
  const fields = { taskId: task.id, operationId: task.operationId, channelId: task.channelId };
  if (bill.isLoss) parts.log.error({ alarm: "usage_missing", ...fields }, "a video came without usage to bill");
  else if (bill.reported.source) parts.log.warn(fields, "a video came without usage; the size table stood in");
  if (isOverHold) parts.log.error({ alarm: "usage_over_hold", ...fields }, "usage exceeds the hold");
}

/** Copies the file first, then charges and shows the task as succeeded. */
async function settleSuccess(parts: VideoParts, task: VideoTask, channel: Channel, state: Success): Promise<void> {
  const { mediaId } = await parts.results.copyResult(channel, state.videoUrl, task.accountId);
  const bill = billOf(task.model, task.spec, state);
  const price = await parts.table.priceOf(task.operationId);
  const usage = { inputTokens: 0, outputTokens: bill.outputTokens };
  const amount = chargeOf(usage, { input: price.inputPrice, output: price.outputPrice }, price.multiplierPpm);
  noteBill(parts, task, bill, amount > price.holdAmount);
  parts.chooser.reportUsage(channel, state.outputTokens !== null);
  const loss: Loss | null = bill.isLoss
    ? { cause: "usage_missing", estimateAmount: price.holdAmount, detail: { fault: bill.reported.fault } }
    : null;
  const { operationId, accountId } = task;
  const reported = { ...usage, reported: bill.reported };
  const request = { operationId, accountId, amount, usage: reported, loss, outcome: outcomeOf(task) };
  const ended = await parts.ledger.settleTask(request, { mediaId, outputTokens: bill.outputTokens, facts: state.facts });
  if (ended.outcome === "released") {
    parts.log.error({ alarm: "late_success", taskId: task.id }, "a video was ready after its points were given back");
  }
}

function orderOf(task: VideoTask, images: VideoImages): VideoOrder {
  return { ...task.spec, ...images, model: task.model, clientReference: task.id };
}

async function tryToNote(parts: VideoParts, task: VideoTask, channel: Channel, upstreamRef: string, until: number): Promise<void> {
  const fields = { alarm: "orphan_upstream", taskId: task.id, channelId: channel.id, upstreamRef };
  for (;;) {
    parts.busy.add(task.id);
    try {
      const isKept = await parts.table.noteAccepted(task.id, upstreamRef, Math.min(FIRST_POLL_SECONDS, parts.times.pollSeconds));
      if (!isKept) parts.log.error(fields, "a task ended while it was submitted");
      return;
    } catch (error) {
      if (!isRelayError(error) || error.code !== "database_unavailable" || performance.now() > until) {
        parts.log.error({ ...fields, err: error }, "an upstream's id could not be kept");
        return;
      }
    }
    await pause(NOTE_RETRY_MS);
  }
}

/**
 * Keeps the upstream's id, without which the task is lost. Waits a few seconds for the database and goes on trying after that: the
 * upstream has the order, so its caller is never told otherwise.
 */
async function noteAccepted(parts: VideoParts, task: VideoTask, channel: Channel, upstreamRef: string): Promise<void> {
  const noted = tryToNote(parts, task, channel, upstreamRef, performance.now() + NOTE_PATIENCE_MS_MAX);
  void noted.finally(() => parts.busy.delete(task.id));
  await Promise.race([noted, pause(NOTE_PATIENCE_MS)]);
}

const interrupted: Failing = { status: "failed", code: "order_interrupted" };

/** Writes that the task is about to be sent. Throws when that is not certain, or when the task was given back meanwhile: it must not be sent. */
async function noteIntent(
  parts: VideoParts,
  task: VideoTask,
  claim: string | null,
  channel: Channel,
  after: Channel | null,
): Promise<void> {
  const noting = parts.table.noteIntent(task.id, channel, !parts.isPassing(channel), after, claim);
  const isNoted = await noting.catch((error: unknown) => {
    parts.chooser.giveBack(channel);
    // Given back at once if this process lives; if not, whoever finds the task does it.
    void releaseTask(parts, task, interrupted).catch(() => {});
    throw error;
  });
  if (isNoted) return;
  parts.chooser.giveBack(channel);
  const message = "The order could not be sent on in time and was given back. Nothing was charged. Send it again.";
  throw new RelayError("database_unavailable", { message, retryAfterSeconds: 1 });
}

/**
 * Sends a task that was never sent, to `first` and where that surely cost nothing to others. Resolves when an upstream has it. What
 * fails is ended at once and thrown as the customer is told. The intent is on disk before the bytes leave. `claim`: the key of the
 * request that ordered it, where a retry may take that over.
 */
export async function submitTask(
  parts: VideoParts,
  task: VideoTask,
  images: VideoImages,
  claim: string | null,
  first: Channel,
): Promise<void> {
  const tried: Channel[] = [];
  for (let channel = first; ; ) {
    await noteIntent(parts, task, claim, channel, tried.at(-1) ?? null);
    const result = await parts.provider.submit(channel, orderOf(task, images));
    if (result.isOk) {
      parts.chooser.report(channel, null);
      await noteAccepted(parts, task, channel, result.upstreamRef);
      return;
    }
    channel = await nextChannel(parts, task, channel, result.failure, tried);
  }
}

/** The channel for another attempt; or ends the task and throws: `channelAfter`. */
function nextChannel(parts: VideoParts, task: VideoTask, failed: Channel, failure: UpstreamFailure, tried: Channel[]): Promise<Channel> {
  const ended = { ...task, channelId: failed.id };
  const lossCause = failure.mayHaveCost ? "orphan_upstream" : null;
  return channelAfter(parts, failed, failure, tried, {
    model: task.model,
    named: { taskId: task.id },
    release: () => releaseTask(parts, ended, { status: "failed", code: failure.code, lossCause }),
  });
}

/** The channel that made a task, as it was then but with its present credential. */
export function channelOf(parts: VideoParts, task: TaskRow): Channel | undefined {
  const channel = task.channelId === null ? undefined : parts.channelById(task.channelId);
  if (!channel || task.channelProtocol === null || task.channelBaseUrl === null) return channel;
  return { ...channel, protocol: task.channelProtocol, baseUrl: task.channelBaseUrl };
}

/** `failed`: it could not be asked or copied now, and is asked again later. */
export type Advance = "unchanged" | "changed" | "ended" | "failed";

async function endUnknown(parts: VideoParts, task: TaskRow, answers: "lost" | "gone"): Promise<Advance> {
  parts.log.error(
    { alarm: "orphan_upstream", taskId: task.id, channelId: task.channelId, answers },
    "nobody can tell what became of a task upstream",
  );
  await releaseTask(parts, task, { status: "failed", code: "upstream_failed", lossCause: "orphan_upstream" });
  return "ended";
}

/** Gives up what is too old; the upstream may still finish and bill it. */
async function expire(parts: VideoParts, task: TaskRow, lossCause: LossCause = "orphan_upstream"): Promise<Advance> {
  await releaseTask(parts, task, { status: "expired", code: "task_expired", lossCause });
  return "ended";
}

async function advanceSuccess(parts: VideoParts, task: TaskRow, channel: Channel, state: Success, isOverdue: boolean): Promise<Advance> {
  try {
    await settleSuccess(parts, task, channel, state);
    return "ended";
  } catch (error) {
    parts.log.warn({ taskId: task.id, channelId: channel.id, err: error }, "a finished video could not be kept yet");
    if (isFinal(error) && task.pollFailures + 1 >= FINAL_COPIES) {
      await releaseTask(parts, task, { status: "failed", code: "upstream_bad_response", lossCause: "orphan_upstream" });
      return "ended";
    }
    return isOverdue ? expire(parts, task, "late_success") : "failed";
  }
}

const failureCodes = { cancelled: "task_cancelled", expired: "task_expired" };

/**
 * Takes a task one step: gives back what was never sent, asks its upstream once, and at a terminal state copies the file and ends
 * the task. The only function that ends a task the upstream has. Rejects with `database_unavailable`.
 */
export async function advanceTask(parts: VideoParts, task: TaskRow): Promise<Advance> {
  const isOverdue = task.ageSeconds > parts.times.lifeSeconds;
  if (task.submitState === "none") {
    // Whoever ordered it was refused, or has no answer: only its caller's process sends an order.
    await releaseTask(parts, task, interrupted);
    return "ended";
  }
  // Its lease ran out between the intent and the answer: never sent again blindly.
  if (task.upstreamRef === null) return task.pollFailures + 1 < LOST_LOOKS ? "failed" : endUnknown(parts, task, "lost");
  const channel = channelOf(parts, task);
  if (!channel) return isOverdue ? expire(parts, task) : "failed";
  const read = await parts.provider.read(channel, task.upstreamRef);
  if (!read.isOk) {
    if (read.isGone && task.pollFailures + 1 >= GONE_ANSWERS) return endUnknown(parts, task, "gone");
    return isOverdue ? expire(parts, task) : "failed";
  }
  const { state } = read;
  switch (state.status) {
    case "succeeded":
      return advanceSuccess(parts, task, channel, state, isOverdue);
    case "queued":
    case "running":
      if (isOverdue) return expire(parts, task);
      if (state.status === task.status || task.status === "running") return "unchanged";
      await parts.table.noteRunning(task.id);
      return "changed";
    default: {
      parts.log.warn({ taskId: task.id, channelId: channel.id, code: state.code, internal: state.internal }, "a video failed upstream");
      await releaseTask(parts, task, { status: state.status, code: state.status === "failed" ? state.code : failureCodes[state.status] });
      return "ended";
    }
  }
}
