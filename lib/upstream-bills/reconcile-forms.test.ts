/** The forms that right bills have raise no alarm, and what hides in such a form is found. */
import { expect, test } from "vitest";
import { seeded } from "@/testing/extent/random";
import type { BillLine, Difference, ModelRates, OwnCall } from "./bill-line";
import { costOf } from "./comparison";
import { type Book, reconcile } from "./reconcile";

const START = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;
const price = { input: 2_345_678n, output: 9_876_543n };
const rates: ModelRates[] = [{ model: "Large", from: 0, price }];
const random = seeded(11);

type Call = OwnCall & { ref: string; usage: NonNullable<OwnCall["usage"]> };
const calls: Call[] = Array.from({ length: 400 }, (_, at) => ({
  ref: `Call-${at}-aB`,
  at: START + at * HOUR_MS,
  model: "large",
  usage: { inputTokens: random.between(1, 20_000), outputTokens: random.between(1, 2000) },
}));
const book: Book = {
  ...{ calls, rates, from: START, to: START + 31 * 24 * HOUR_MS, step: 1n, total: null },
};
const owed = ({ usage }: Call) => costOf(usage, price);
const lineOf = (call: Call): BillLine => ({
  ...{ ref: call.ref, at: call.at, model: call.model, requests: 1, usage: call.usage },
  amount: owed(call),
});
const lines = calls.map(lineOf);
const causesOf = (differences: readonly Difference[]) => [
  ...new Set(differences.map(({ cause }) => cause)),
];
const sumOf = (differences: readonly Difference[]) =>
  differences.reduce((sum, { amount }) => sum + amount, 0n);
/** The causes of a bill, whose differences add up. */
function found(bill: readonly BillLine[], own: Partial<Book> = {}) {
  const { billed, owed: due, differences } = reconcile(bill, { ...book, ...own });
  expect(billed - due).toBe(sumOf(differences));
  return causesOf(differences);
}

test("ids and models in another case are the same; a second line in another case is a second line", () => {
  const upper = lines.map((line) => ({
    ...line,
    ref: line.ref?.toUpperCase() ?? null,
    model: "LARGE",
  }));
  expect(found(upper)).toEqual([]);
  expect(found([...lines, ...upper.slice(0, 9)])).toEqual(["billed_twice"]);
});

/** The tokens in and out of a call on a line each. */
const split = (call: Call): BillLine[] => {
  const { inputTokens, outputTokens } = call.usage;
  const [input, output] = [
    { inputTokens, outputTokens: 0 },
    { inputTokens: 0, outputTokens },
  ];
  return [input, output].map((usage) => ({
    ...lineOf(call),
    usage,
    amount: costOf(usage, price),
  }));
};

test("a call whose tokens are on several lines agrees as one; what is too much of them is found", () => {
  expect(found(calls.flatMap(split)).filter((cause) => cause !== "rounding")).toEqual([]);
  const dear = (call: Call) =>
    split(call).map((line) => ({ ...line, amount: (line.amount ?? 0n) + 5n }));
  expect(found(calls.flatMap(dear))).toEqual(["other_rate"]);
  const thrice = (call: Call) => [...split(call), ...split(call).slice(0, 1)];
  expect(found(calls.slice(0, 9).flatMap(thrice).concat(lines.slice(9)))).toEqual([
    "other_tokens",
    "billed_twice",
  ]);
});

test("amounts of six decimals, rounded to the nearest or down, raise no alarm; one more each does", () => {
  const exact = ({ usage }: Call) =>
    BigInt(usage.inputTokens) * price.input + BigInt(usage.outputTokens) * price.output;
  const rounded = (more: bigint) =>
    calls.map((call) => ({ ...lineOf(call), amount: (exact(call) + more) / 1_000_000n }));
  for (const more of [500_000n, 0n, 999_999n])
    expect(found(rounded(more)).filter((cause) => cause !== "rounding")).toEqual([]);
  expect(found(rounded(1_999_999n))).toEqual(["other_rate"]);
});

test("few lines that are rounded up are found too, by any of them that the nearest does not explain", () => {
  const step = 1_000_000n;
  const up = lines
    .slice(0, 3)
    .map((line) => ({ ...line, amount: (((line.amount ?? 0n) + step - 1n) / step) * step }));
  expect(found(up, { step, calls: calls.slice(0, 3) })).toEqual(["rounded_up"]);
});

test("a total in cents may be rounded, by no more than that", () => {
  const sum = lines.reduce((all, { amount }) => all + (amount ?? 0n), 0n);
  const cents = ((sum + 5000n) / 10_000n) * 10_000n;
  expect(found(lines, { total: cents })).toEqual(["rounding"]);
  expect(found(lines, { total: cents + 10_000n })).toEqual(["other_total"]);
  expect(found(lines, { total: sum + 1n })).toEqual(["other_total"]);
});

test("lines below zero, and one of several calls, hide nothing", () => {
  const credit = (line: BillLine): BillLine => ({ ...line, amount: -(line.amount ?? 0n) });
  const [first] = lines as [BillLine];
  expect(found([...lines, credit(first)])).toEqual(["billed_twice"]);
  expect(found([...lines, { ...credit(first), ref: "credit-1" }])).toEqual(["unknown_call"]);
  const extra = { ...first, ref: null, requests: 2, usage: { inputTokens: 0, outputTokens: 0 } };
  const doubled = lines.flatMap((line, at) => (at < 5 ? [line, line] : [line]));
  expect(found([...doubled, extra])).toEqual(["unknown_call", "billed_twice"]);
});

test("a call that another bill has is billed twice, and is not missed here", () => {
  const others = new Set(calls.slice(0, 7).map(({ ref }) => ref));
  const isElsewhere = (ref: string) => others.has(ref);
  expect(found(lines, { isElsewhere })).toEqual(["billed_twice"]);
  expect(found(lines.slice(7), { isElsewhere })).toEqual([]);
});

test("a bill of the month before has none of the calls of this one", () => {
  const now = START + 31 * 24 * HOUR_MS;
  const own = calls.map((call) => ({
    ...call,
    ref: `next-${call.ref}`,
    at: call.at + now - START,
  }));
  const next = { calls: own, from: now, to: now + 30 * 24 * HOUR_MS };
  expect(found(lines, next)).toEqual(["unknown_call", "not_billed"]);
});
