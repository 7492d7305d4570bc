import { endItem } from "./item";
import type { RecentVerbs } from "./recent-verbs";
import type { Writer } from "./writer";

/** Sends the ends again that another primary lacks. Where it lacks the hold too, nothing can be charged. */
export function settleAgain(
  writer: Writer,
  recent: RecentVerbs,
  log: (event: string, detail: unknown) => void,
): void {
  for (const row of recent.takeLostEnds()) {
    const resolve: Parameters<typeof endItem>[1]["resolve"] = (result) =>
      log(result === null ? "ledger_lost" : "ledger_settled_again", row[0]);
    writer.end(endItem(row, { resolve, reject: (error) => log("ledger_lost", error) }));
  }
}
