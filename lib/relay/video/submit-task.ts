/** Submits a video's task to an upstream, and saves the id that the upstream gives it. */
import { isRelayError } from "../../failures/relay-error";
import { pause } from "../../timing/pause";
import type { VideoSpec } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import { sendTask } from "../order/send-task";
import type { OpenTask } from "../order/task-row";
import type { Source } from "./draft-source";
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

async function tryToNote(
  deps: VideoDeps,
  task: OpenTask,
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
  task: OpenTask,
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

/** Submits a task that was never sent: see `sendTask`. */
export async function submitTask(
  deps: VideoDeps,
  task: OpenTask,
  { spec, images, excluded }: Source & { readonly spec: VideoSpec },
  claim: string | null,
  first: Channel,
): Promise<void> {
  const order = { ...spec, ...images, model: task.model, clientReference: task.id };
  const submit = (each: Channel) => deps.provider.submit(each, order);
  const { channel, sent } = await sendTask(deps, task, claim, first, submit, excluded);
  await noteAccepted(deps, task, channel, sent.upstreamRef);
}
