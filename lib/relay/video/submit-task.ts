/**
 * Submits a task to an upstream. Only the process that opened the task does so, or a retry of its
 * request.
 */
import { isRelayError, RelayError } from "../../errors";
import { pause } from "../../pause";
import type { VideoImages, VideoOrder } from "../../upstream/media-provider";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { Attempts } from "../order/attempts";
import { channelAfter } from "../order/failover";
import type { Source } from "./draft-source";
import { interrupted, releaseTask } from "./end-task";
import type { VideoTask } from "./task-row";
import type { VideoDeps } from "./video-deps";

/** From the upstream's acceptance to the first poll. */
export const FIRST_POLL_SECONDS = 1;
const NOTE_RETRY_MS = 500;
/**
 * Well below the time after which others consider a submit lost. The caller waits no longer than
 * this; saving the id continues in the background.
 */
const NOTE_PATIENCE_MS = 5000;
/**
 * How long saving the id is retried: longer than any outage that is worth waiting for in memory.
 */
const NOTE_PATIENCE_MS_MAX = 3600_000;

function orderOf(task: VideoTask, images: VideoImages): VideoOrder {
  return { ...task.spec, ...images, model: task.model, clientReference: task.id };
}

async function tryToNote(
  deps: VideoDeps,
  task: VideoTask,
  channel: Channel,
  upstreamRef: string,
  until: number,
): Promise<void> {
  const fields = { alarm: "orphan_upstream", taskId: task.id, channelId: channel.id, upstreamRef };
  for (;;) {
    deps.busy.add(task.id);
    try {
      const isKept = await deps.table.noteAccepted(
        task.id,
        upstreamRef,
        Math.min(FIRST_POLL_SECONDS, deps.times.pollSeconds),
      );
      if (!isKept) deps.log.error(fields, "a task ended while it was submitted");
      return;
    } catch (error) {
      if (
        !isRelayError(error) ||
        error.code !== "database_unavailable" ||
        performance.now() > until
      ) {
        deps.log.error({ ...fields, err: error }, "an upstream's id could not be saved");
        return;
      }
    }
    await pause(NOTE_RETRY_MS);
  }
}

/**
 * Saves the upstream's id of the task. Waits a few seconds for the database and then keeps trying
 * in the background. The upstream has the order, so the caller never gets an error for this.
 */
async function noteAccepted(
  deps: VideoDeps,
  task: VideoTask,
  channel: Channel,
  upstreamRef: string,
): Promise<void> {
  const noted = tryToNote(
    deps,
    task,
    channel,
    upstreamRef,
    performance.now() + NOTE_PATIENCE_MS_MAX,
  );
  void noted.finally(() => deps.busy.delete(task.id));
  await Promise.race([noted, pause(NOTE_PATIENCE_MS)]);
}

/**
 * Records that the task is about to be sent. Throws when that is not certain, or when the task was
 * released meanwhile: it must not be sent then.
 */
async function noteIntent(
  deps: VideoDeps,
  task: VideoTask,
  claim: string | null,
  channel: Channel,
  after: Channel | null,
): Promise<void> {
  const noting = deps.table.noteIntent(task.id, channel, !deps.isPassing(channel), after, claim);
  const isNoted = await noting.catch((error: unknown) => {
    deps.chooser.giveBack(channel);
    // If this process dies before that, a worker releases the task.
    void releaseTask(deps, task, interrupted).catch(() => {});
    throw error;
  });
  if (isNoted) return;
  deps.chooser.giveBack(channel);
  const message =
    "The order could not be sent to the upstream in time and was cancelled. Nothing was charged. Send it again.";
  throw new RelayError("database_unavailable", { message, retryAfterSeconds: 1 });
}

/**
 * Submits a task that was never sent: to `first`, then to other channels as long as each attempt
 * certainly cost nothing. Resolves when an upstream has accepted it. On failure ends the task and
 * throws the client's error, and never tries an excluded channel. The intent is durable before the first byte leaves. `claim`: the
 * idempotency key of the request, if a retry may take the request over.
 */
export async function submitTask(
  deps: VideoDeps,
  task: VideoTask,
  { images, excluded }: Source,
  claim: string | null,
  first: Channel,
): Promise<void> {
  const tried = [...excluded];
  const attempts = new Attempts(deps.chooser, task.operationId, task.model);
  for (let channel = first; ; ) {
    const after = tried.length > excluded.length ? (tried.at(-1) ?? null) : null;
    await noteIntent(deps, task, claim, channel, after);
    attempts.begin();
    const result = await deps.provider.submit(channel, orderOf(task, images));
    if (result.isOk) {
      deps.chooser.report(channel, null);
      attempts.answered(channel);
      await noteAccepted(deps, task, channel, result.upstreamRef);
      return;
    }
    attempts.failed(channel, result.failure);
    channel = await nextChannel(deps, task, channel, result.failure, tried);
  }
}

/** The channel for the next attempt; otherwise ends the task and throws: see `channelAfter`. */
function nextChannel(
  deps: VideoDeps,
  task: VideoTask,
  failed: Channel,
  failure: UpstreamFailure,
  tried: Channel[],
): Promise<Channel> {
  const ended = { ...task, channelId: failed.id };
  const lossCause = failure.mayHaveCost ? "orphan_upstream" : null;
  return channelAfter(deps, failed, failure, tried, {
    model: task.model,
    named: { taskId: task.id },
    release: () => releaseTask(deps, ended, { status: "failed", code: failure.code, lossCause }),
  });
}
