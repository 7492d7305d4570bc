/** A worker: serves requests, and does what the primary process says. */
import type { ClusterLink } from "@/lib/cluster/link";
import { PROTOCOL } from "@/lib/cluster/messages";
import { log } from "@/lib/process/log";
import { readSettings } from "@/lib/settings/settings";
import { openServing, type Serving } from "../serve-requests";
import { createStopRequest, type StopRequest, stopSignals } from "../signals";

const ALIVE_MS = 2000;

/** A worker that is ready ends what dead workers left open. */
function buryOthers(link: ClusterLink, { relay }: Serving): void {
  link.on("bury", ({ nodeId }) => {
    relay.reapNode(nodeId).then(
      (ended) => log.info({ nodeId, ended }, "what a dead worker left open was ended"),
      (err: unknown) => log.warn({ err, nodeId }, "a dead worker's requests are ended later"),
    );
  });
}

/** The primary decides when to stop: a terminal sends its signals to every process. */
function obey(link: ClusterLink): StopRequest {
  for (const signal of stopSignals) process.on(signal, () => {});
  const stop = createStopRequest();
  link.on("stop", stop.request);
  link.on("hurry", stop.request);
  void link.lost.then(stop.request);
  return stop;
}

/** Serves until the primary says stop, or is gone. */
export async function serveAsWorker(link: ClusterLink): Promise<void> {
  const stop = obey(link);
  const alive = setInterval(() => void link.tell({ kind: "alive" }), ALIVE_MS);
  const serving = await openServing(readSettings(process.env));
  buryOthers(link, serving);
  link.on("retire", () => void serving.retire().then(stop.request));
  void link.tell({ kind: "serving", protocol: PROTOCOL });
  await stop.requested;
  await serving.stop(stop.forced);
  clearInterval(alive);
  await link.tell({ kind: "figures", families: serving.relay.totals() });
}
