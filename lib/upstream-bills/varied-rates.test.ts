/** Bills of an upstream whose rates depend on the length of the input and the time of the call. */
import { expect, test } from "vitest";
import { priceOfRates } from "../pricing/rate";
import type { BillLine, OwnCall } from "./bill-line";
import { costOf } from "./owed";
import { reconcile } from "./reconcile";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 8, 1);
const price = priceOfRates([
  { unit: "input_token", amount: 2_000_000n },
  { unit: "input_token", input_from: 200_000, amount: 4_000_000n },
  { unit: "output_token", amount: 10_000_000n },
  { unit: "output_token", hours: "16:30-00:30", amount: 5_000_000n },
  { unit: "output_token", input_from: 200_000, amount: 15_000_000n },
]);

type Call = OwnCall & { readonly usage: NonNullable<OwnCall["usage"]> };
/** Four an hour, each within one price; every third one is long. */
const calls: Call[] = Array.from({ length: 24 * 4 }, (_, at) => ({
  ref: `id-${at}`,
  at: START + at * 15 * 60_000,
  model: "long",
  usage: { inputTokens: at % 3 === 0 ? 200_000 + at : 1000 + at, outputTokens: 100 + at },
}));
const book = {
  ...{ calls, from: START, to: START + 24 * HOUR_MS, step: 1n, total: null },
  rates: [{ model: "long", from: 0, price }],
};
const amountOf = ({ usage, at }: Call) => costOf(usage, price, at);
const lineOf = (call: Call): BillLine => ({
  ...{ ref: call.ref, at: call.at, model: call.model, requests: 1, usage: call.usage },
  amount: amountOf(call),
});
const causesOf = (lines: readonly BillLine[]) =>
  reconcile(lines, book)
    .differences.map(({ cause }) => cause)
    .filter((cause) => cause !== "rounding");

test("each call is owed at the rates of its own length and hour", () => {
  expect(causesOf(calls.map(lineOf))).toEqual([]);
  expect(reconcile([], book).owed).toBe(calls.reduce((sum, call) => sum + amountOf(call), 0n));
  const [first, ...others] = calls.map(lineOf);
  if (first === undefined) throw new Error("no line");
  const short = costOf({ ...first.usage, inputTokens: 1 }, price, first.at);
  expect(causesOf([{ ...first, amount: short }, ...others])).toEqual(["other_rate"]);
});

const hoursOf = (size: number): BillLine[] =>
  Array.from({ length: calls.length / size }, (_, hour) => {
    const own = calls.slice(hour * size, (hour + 1) * size);
    const sum = (part: "inputTokens" | "outputTokens") =>
      own.reduce((all, { usage }) => all + usage[part], 0);
    return {
      ...{ ref: null, at: START + hour * HOUR_MS, spanMs: HOUR_MS, model: "long", requests: size },
      usage: { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") },
      amount: own.reduce((all, call) => all + amountOf(call), 0n),
    };
  });

test("a sum of calls is owed as they are, though it is longer than each of them", () => {
  expect(causesOf(hoursOf(4))).toEqual([]);
  const [first, ...others] = hoursOf(4);
  if (first === undefined) throw new Error("no line");
  const more = { ...first.usage, outputTokens: first.usage.outputTokens + 9 };
  const amount = (first.amount ?? 0n) + 90n;
  expect(causesOf([{ ...first, usage: more, amount }, ...others])).toEqual(["other_tokens"]);
});
