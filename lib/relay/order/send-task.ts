/**
 * Sends a task to an upstream. Only the process that opened the task does so, or a retry of its
 * request, or a process that took a task over which nobody had sent.
 */
import { RelayError } from "../../failures/relay-error";
import type { Channel, UpstreamFailure } from "../../upstream/provider";
import { Attempts } from "./attempts";
import { channelAfter } from "./failover";
import { interrupted, releaseTask } from "./release-task";
import type { TaskDeps } from "./task-deps";
import type { OpenTask } from "./task-row";

type Attempt<Sent> = Sent | { readonly isOk: false; readonly failure: UpstreamFailure };

/**
 * Records that the task is about to be sent. Throws when that is not certain, or when the task was
 * released meanwhile: it must not be sent then.
 */
async function noteIntent(
  deps: TaskDeps,
  task: OpenTask,
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

/** The channel for the next attempt; otherwise ends the task and throws: see `channelAfter`. */
function nextChannel(
  deps: TaskDeps,
  task: OpenTask,
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

/**
 * Sends a task that was never sent: to `first`, then to other channels as long as each attempt
 * certainly cost nothing. Resolves with what the first one that took it answered. On failure ends the
 * task and throws the client's error. The intent is durable before the first byte leaves. `claim`:
 * the idempotency key of the request, if a retry may take the request over. `excluded`: the channels
 * that cannot make it.
 */
export async function sendTask<Sent extends { readonly isOk: true }>(
  deps: TaskDeps,
  task: OpenTask,
  claim: string | null,
  first: Channel,
  attempt: (channel: Channel) => Promise<Attempt<Sent>>,
  excluded: readonly Channel[] = [],
): Promise<{ readonly channel: Channel; readonly sent: Sent }> {
  const tried = [...excluded];
  const attempts = new Attempts(deps.chooser, task.operationId, task.model);
  for (let channel = first; ; ) {
    const after = tried.length > excluded.length ? (tried.at(-1) ?? null) : null;
    await noteIntent(deps, task, claim, channel, after);
    attempts.begin();
    const result = await attempt(channel);
    if (result.isOk) {
      deps.chooser.report(channel, null);
      attempts.answered(channel);
      return { channel, sent: result };
    }
    attempts.failed(channel, result.failure);
    channel = await nextChannel(deps, task, channel, result.failure, tried);
  }
}
