/** Gives each item of a batch its part of the database's answer. */
import { readHoldAnswer } from "./hold-answer";
import type { EndItem, HoldItem, Item } from "./item";
import type { RecentVerbs } from "./recent-verbs";
import { readEndAnswer } from "./rows";

/** Returns the holds that were not judged: the lease of this process as a node expired. */
export function giveAnswers(
  batch: readonly Item[],
  answer: string,
  recent: RecentVerbs,
): HoldItem[] {
  const parts = answer.split(";").map((part) => part.split(","));
  const [ends, holds] = [parts[0], parts.at(-1)];
  const hasLease = holds?.[0] !== "n";
  const leaseless: HoldItem[] = [];
  const at = { end: 0, hold: 0 };
  for (const item of batch) {
    if (!item.isHold) giveEnd(item, ends?.[at.end++] ?? "", recent);
    else if (hasLease) giveHold(item, holds?.[at.hold++] ?? "", recent);
    else leaseless.push(item);
  }
  return leaseless;
}

function giveHold(item: HoldItem, answer: string, recent: RecentVerbs): void {
  if (item.isOver) return;
  item.isOver = true;
  try {
    const result = readHoldAnswer(answer);
    if (result.result === "held") recent.note(item, result.amount);
    item.resolve(result);
  } catch (error) {
    item.reject(error);
  }
}

function giveEnd(item: EndItem, answer: string, recent: RecentVerbs): void {
  if (item.isOver) return;
  item.isOver = true;
  const result = readEndAnswer(answer, item.isSettle);
  if (result?.result === "done") recent.note(item, result.amount);
  // When an end is sent again after a lost answer, `already` may be its own commit.
  const isOwn =
    item.timesSent > 1 &&
    result?.result === "already" &&
    (result.outcome === "settled") === item.isSettle;
  item.resolve(isOwn ? { ...result, result: "done" } : result);
}
