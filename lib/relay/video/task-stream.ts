/** `GET /v1/contents/generations/tasks/{id}/stream`: the states of a task as they come. */
import type { Endpoints } from "../../contract/endpoints";
import { isTaskOpen } from "../../contract/states";
import type { UseCase } from "../../http/serve";
import { streamHeaders } from "../../http/stream-headers";
import type { TaskRow } from "../order/task-row";
import type { VideoDeps } from "./video-deps";
import { findOwn } from "./video-tasks";
import { viewOf } from "./video-view";

/** After so long without a change, a comment keeps the connection. */
const KEEP_ALIVE_MS = 10_000;

const eventOf = (name: string, body: object) => `event: ${name}\ndata: ${JSON.stringify(body)}\n\n`;

/** An event for each state, from the present one to the end, which is named `end`. */
async function* eventsOf(deps: VideoDeps, first: TaskRow): AsyncGenerator<string> {
  const until = performance.now() + deps.times.waitMs;
  let task = first;
  for (let shown: string | null = null; ; ) {
    const isOpen = isTaskOpen(task.status);
    if (task.status === shown) yield ": keep-alive\n\n";
    else yield eventOf(isOpen ? "state" : "end", viewOf(task, deps.results));
    shown = task.status;
    const leftMs = until - performance.now();
    if (!isOpen || leftMs <= 0 || deps.running.isDraining) return;
    deps.waiters.asked(task.id);
    await deps.waiters.changed(task.id, Math.min(leftMs, KEEP_ALIVE_MS));
    // While the database is away, the task stays as it was.
    const found = await deps.table.find(task.accountId, task.id).catch(() => null);
    if (found?.family === "video") task = found;
  }
}

/** Counts as a running request until its stream ends, at the latest after 290 seconds. */
export function createStreamVideoTask(deps: VideoDeps): UseCase<Endpoints["streamVideoTask"]> {
  return async (call) => {
    const task = await findOwn(deps, call);
    const { principal } = call;
    await deps.running.enter(principal);
    let isCounted = true;
    const leave = () => {
      if (isCounted) deps.running.leave(principal);
      isCounted = false;
    };
    call.incoming.onGone(leave);
    async function* body() {
      try {
        yield* eventsOf(deps, task);
      } finally {
        leave();
      }
    }
    return { status: 200, headers: { ...call.headers, ...streamHeaders }, body: body() };
  };
}
