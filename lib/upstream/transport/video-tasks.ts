/** What the protocols of video tasks share: the answer to an order, a lost task, and a cancel. */
import { isTaskOpen } from "../../contract/states";
import { failureOf } from "../failure";
import type { CancelResult, ReadResult, SubmitResult, VideoState } from "../media-provider";
import type { JsonObject } from "../provider";
import { modelCodes } from "./error-codes";
import { failureOfOrder, readResultFault } from "./media-failure";

/** Safe to store and to use in a path. */
const reference = /^[A-Za-z0-9][\w.:~-]{0,127}$/;

export function submittedTask(body: JsonObject | null): SubmitResult {
  const id = body?.id ?? body?.task_id;
  if (typeof id === "string" && reference.test(id)) return { isOk: true, upstreamRef: id };
  const error = body?.error;
  const failure =
    error === undefined || error === null
      ? failureOf("upstream_bad_response", "no task id", { mayHaveCost: true })
      : failureOfOrder(error);
  return { isOk: false, failure };
}

type Failed = Extract<VideoState, { internal: string }>;

/** The state of a task that the upstream ended without a video, for the reason that it gives. */
export function failedState(status: Failed["status"], error: unknown): Failed {
  const { code, internal, said } = readResultFault(error ?? null);
  return {
    status,
    code: status === "failed" ? code : "upstream_failed",
    internal: `${status}; ${internal}`,
    ...(said !== undefined && { said }),
  };
}

/**
 * True when the upstream says that the task does not exist, rather than that the address or the
 * model is wrong.
 */
export function isTaskGone(status: number, errorCode: string): boolean {
  return (
    (status === 404 || status === 410) &&
    errorCode !== "" &&
    errorCode !== "route_not_found" &&
    !modelCodes.test(errorCode)
  );
}

function placeOf(result: ReadResult): CancelResult | "queued" {
  if (!result.isOk) return "unknown";
  const { status } = result.state;
  return isTaskOpen(status) || status === "cancelled" ? status : "ended";
}

/**
 * Cancels a task by deleting it. A delete of a finished task removes its record and gets the same
 * answer as a cancel, so only a queued task is deleted.
 */
export async function cancelQueued(
  read: () => Promise<ReadResult>,
  remove: () => Promise<{ readonly isOk: boolean }>,
): Promise<CancelResult> {
  const before = placeOf(await read());
  if (before !== "queued") return before;
  const answer = await remove();
  const after = await read();
  // Some upstreams forget a cancelled task.
  if (answer.isOk && !after.isOk && after.isGone) return "cancelled";
  const place = placeOf(after);
  return place === "queued" ? (answer.isOk ? "unknown" : "running") : place;
}
