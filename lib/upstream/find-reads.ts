/** Finds out what of a request an upstream cannot read: it is asked with everything at once. */
import type { Reading, Reads } from "../contract/channel-profile";
import { isRefused } from "./find-cap";
import { plainerForm } from "./plainer-form";
import type { Prober } from "./probe";
import { type CapName, fieldReadings, fields, turn, turnReadings } from "./probe-requests";
import type { JsonObject } from "./provider";

const SHORT_TOKENS = 16;
/** One question is left for the list of models. */
const RESERVED = 1;

type Question = readonly [members: JsonObject, names: readonly Reading[]];

const everything: Question = [{ ...fields, ...turn }, [...turnReadings, ...fieldReadings]];
/** Some servers take no schema of the answer beside tools, and do not say so. */
const parts: readonly Question[] = [
  [turn, turnReadings],
  [fields, fieldReadings],
];

/**
 * Asks without what is refused by its name, until there is an answer. `refused`: something is refused
 * without its name. `silent`: there was no answer, or no question is left.
 */
async function ask(
  prober: Prober,
  cap: CapName,
  [members, names]: Question,
): Promise<Reads | "refused" | "silent"> {
  const refused: Reading[] = [];
  while (prober.left() > RESERVED) {
    const plain = plainerForm(members, refused, () => {});
    const observed = await prober.plain(cap, SHORT_TOKENS, plain);
    if (observed.failure === null)
      return Object.fromEntries(names.map((name) => [name, !refused.includes(name)]));
    const { unread = [] } = observed.failure;
    const news = unread.filter((name) => names.includes(name) && !refused.includes(name));
    if (news.length === 0) return isRefused(observed) ? "refused" : "silent";
    refused.push(...news);
  }
  return "silent";
}

/** What could not be found out is absent. */
export async function findReads(prober: Prober, cap: CapName): Promise<Reads> {
  const whole = await ask(prober, cap, everything);
  if (whole === "silent") return {};
  if (whole !== "refused") return whole;
  let all: Reads = {};
  for (const part of parts) {
    const reads = await ask(prober, cap, part);
    if (typeof reads === "object") all = { ...all, ...reads };
  }
  return all;
}
