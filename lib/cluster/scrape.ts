/** The metrics of all workers, as a worker gets them from the primary process. */
import { RelayError } from "../failures/relay-error";
import type { FamilyReading } from "./joined-metrics";
import type { ClusterLink } from "./link";

const PATIENCE_MS = 4000;

/** Answers the primary with this worker's metrics, and returns the function that asks for all. */
export function openScrape(
  link: ClusterLink,
  measure: () => Promise<readonly FamilyReading[]>,
): () => Promise<string> {
  let waiting: ((text: string) => void)[] = [];
  link.on("measure", () => {
    void measure().then((families) => link.tell({ kind: "figures", families }));
  });
  link.on("scraped", ({ text }) => {
    for (const resolve of waiting.splice(0)) resolve(text);
  });
  return () =>
    new Promise((resolve, reject) => {
      const give = (text: string) => {
        clearTimeout(timer);
        resolve(text);
      };
      const timer = setTimeout(() => {
        waiting = waiting.filter((each) => each !== give);
        reject(new RelayError("service_busy", { retryAfterSeconds: 1 }));
      }, PATIENCE_MS);
      waiting.push(give);
      // What is asked meanwhile is answered by the same reading.
      if (waiting.length === 1) void link.tell({ kind: "scrape" });
    });
}
