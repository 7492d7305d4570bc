import type { VideoDeps } from "@/lib/relay/video/video-deps";
import { createVideoWorker, type VideoWorker } from "@/lib/relay/video/video-worker";
import { pause } from "@/lib/timing/pause";
import { faultsOf } from "../ledger/faults-of";
import { opened } from "../unit/opened";
import type { TestRelay } from "./test-relay";

export const TASKS = "/v1/contents/generations/tasks";

const bounds = { parallelMax: 50, claimMax: 50, idleMs: 10 };

/** A worker that has not started, and stops when the tests of a file are over. */
export const openWorker = (deps: VideoDeps) =>
  opened(createVideoWorker(deps, bounds), (worker) => worker.stop(2000));

/** `relay` returns the current relay, which a test may reopen. */
export function videoClient(relay: () => TestRelay) {
  const workers: VideoWorker[] = [];
  const post = (path: string, body: object) => relay().send(path, { body: JSON.stringify(body) });
  const poll = (id: unknown, headers = {}) => relay().send(`${TASKS}/${id}`, { headers });
  return {
    poll,
    call: (body: object = {}) =>
      post("/v1/videos/generations", { model: "super-relay-2", prompt: "a cat", ...body }),
    /** Orders a video as a task. */
    order: (text = "a cat", body: object = {}) =>
      post(TASKS, { model: "super-relay-2", content: [{ type: "text", text }], ...body }),
    /** Waits until the task has ended, and returns it. */
    async ended(id: unknown) {
      for (;;) {
        const { json } = await poll(id);
        if (json.status !== "queued" && json.status !== "running") return json;
        await pause(20);
      }
    },
    work(changes: Parameters<TestRelay["videoDeps"]>[0] = {}): void {
      const worker = createVideoWorker(relay().videoDeps(changes), bounds);
      workers.push(worker);
      worker.start();
    },
    /**
     * Stops the workers and closes the relay. Returns the violations that the ledger's audit finds.
     */
    async close() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop(2000)));
      const faults = await faultsOf(relay().pool);
      await relay().close();
      return faults;
    },
  };
}
