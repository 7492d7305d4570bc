/**
 * Serializes what belongs to points leases to the JSON that `ledger_apply_leased` reads, and parses
 * its answers.
 */
import type { Micropoints } from "../points";
import { holdText } from "./batch-text";
import type { LeaseAct, LeasedEnd } from "./lease-acts";
import type { EndResult, HoldRequest } from "./verbs";

/**
 * A hold in memory, without its opening `{"i":n,` and with neither age nor end. It is the process
 * `node` that pays it from its lease, whoever writes it.
 */
export const memoryText = (request: HoldRequest, node: string): string =>
  `${holdText(request).slice(0, -1)},"node":${JSON.stringify(node)},"held":${request.holdAmount}`;

const ageText = (ageMs: number): string =>
  `,"age":${Math.max(0, Math.min(2_147_483_647, Math.round(ageMs) || 0))}`;

/** Of two members of one name the database reads the last: the end's `amount` is the charge. */
export const wholeText = (memory: string, ageMs: number, end: string): string =>
  `${memory}${ageText(ageMs)},${end}`;

export const writtenText = (memory: string, ageMs: number): string => `${memory}${ageText(ageMs)}}`;

export const actText = ({ account, number, kind, amount, rest, isFirst }: LeaseAct): string =>
  `"account":${JSON.stringify(account)},"act":${number},"kind":"${kind}","amount":${amount},"rest":${rest},"first":${isFirst}}`;

export interface WholeAnswer {
  readonly how: LeasedEnd;
  readonly result: EndResult;
}

/** Null when there is no such account. */
export function readWholeAnswer(answer: string, isSettle: boolean): WholeAnswer | null {
  const amount = () => BigInt(answer.slice(1));
  const outcome = isSettle ? "settled" : "released";
  switch (answer[0]) {
    case "l":
      return { how: "leased", result: { result: "done", outcome, amount: amount() } };
    case "o":
      return { how: "opened", result: { result: "done", outcome, amount: amount() } };
    case "e":
      return { how: "elsewhere", result: { result: "done", outcome, amount: amount() } };
    case "x":
      return { how: "elsewhere", result: { result: "already", outcome: "released", amount: 0n } };
    case "s":
      return { how: "before", result: { result: "already", outcome: "settled", amount: amount() } };
    case "r":
      return { how: "before", result: { result: "already", outcome: "released", amount: 0n } };
    default:
      return null;
  }
}

/** The answer to an act; null when the database has no such lease. */
export function readActAnswer(
  answer: string,
): { readonly granted: Micropoints; readonly limitedKeys: ReadonlySet<string> } | null {
  if (answer === "l") return null;
  if (!answer.startsWith("t")) return { granted: 0n, limitedKeys: new Set() };
  const [granted = "0", ...keys] = answer.slice(1).split(":");
  return { granted: BigInt(granted), limitedKeys: new Set(keys) };
}
