/** Reads the state of a video task, which gateways name in many ways. */
import { log } from "../../process/log";
import type { VideoState } from "../media-provider";

type Status = VideoState["status"];

/** The protocols' names of the states, and those of gateways that resell it, in lower case. */
const statuses: Readonly<Record<string, Status>> = {
  queued: "queued",
  pending: "queued",
  submitted: "queued",
  created: "queued",
  waiting: "queued",
  in_queue: "queued",
  not_start: "queued",
  running: "running",
  processing: "running",
  in_progress: "running",
  generating: "running",
  succeeded: "succeeded",
  success: "succeeded",
  successful: "succeeded",
  completed: "succeeded",
  complete: "succeeded",
  finished: "succeeded",
  done: "succeeded",
  failed: "failed",
  failure: "failed",
  fail: "failed",
  error: "failed",
  rejected: "failed",
  cancelled: "cancelled",
  canceled: "cancelled",
  expired: "expired",
};

const unknownStatuses = new Set<string>();
const UNKNOWN_STATUSES_MAX = 100;

/** Our state for an upstream's name of one. */
export function taskStatusOf(raw: string): Status {
  const name = raw.trim().toLowerCase();
  const known = Object.hasOwn(statuses, name) ? statuses[name] : undefined;
  if (known) return known;
  // An unknown state counts as running: the poller limits a task's age anyway.
  if (
    unknownStatuses.size < UNKNOWN_STATUSES_MAX &&
    /^\w{1,40}$/.test(name) &&
    !unknownStatuses.has(name)
  ) {
    unknownStatuses.add(name);
    log.warn({ status: name }, "An upstream sent an unknown task status; it counts as running.");
  }
  return "running";
}
