/** Finds out what of a request an upstream cannot read: it is asked with everything at once. */
import { isLasting, type Reading, type Reads, readings } from "../contract/channel-profile";
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

interface Learned {
  readonly reads: Reads;
  /** Something is refused without its name. */
  readonly isUnnamed: boolean;
}

/** Asks without what is refused by its name, until there is an answer, or no question is left. */
async function ask(
  prober: Prober,
  cap: CapName,
  [members, names]: Question,
  known: readonly Reading[],
): Promise<Learned> {
  const refused = [...known];
  while (prober.left() > RESERVED) {
    const plain = plainerForm(members, refused, () => {});
    const observed = await prober.plain(cap, SHORT_TOKENS, plain);
    if (observed.failure === null)
      return { reads: readsOf(names, (name) => !refused.includes(name)), isUnnamed: false };
    const { unread = [] } = observed.failure;
    const news = unread
      .filter(isLasting)
      .filter((name) => names.includes(name) && !refused.includes(name));
    if (news.length > 0) {
      refused.push(...news);
      continue;
    }
    return { reads: readsOf(refused, () => false), isUnnamed: isRefused(observed) };
  }
  return { reads: readsOf(refused, () => false), isUnnamed: false };
}

const readsOf = (names: readonly Reading[], isRead: (name: Reading) => boolean): Reads =>
  Object.fromEntries(names.map((name) => [name, isRead(name)]));

/** What could not be found out is absent. */
export async function findReads(prober: Prober, cap: CapName): Promise<Reads> {
  const whole = await ask(prober, cap, everything, []);
  if (!whole.isUnnamed) return whole.reads;
  const known = readings.filter((name) => whole.reads[name] === false);
  let all = whole.reads;
  for (const part of parts) all = { ...all, ...(await ask(prober, cap, part, known)).reads };
  return all;
}
