/** The forms that right bills have raise no alarm, and what hides in such a form is found. */
import { expect, test } from "vitest";
import { seeded } from "@/testing/extent/random";
import {
  type BillLine,
  type Difference,
  type ModelRates,
  type OwnCall,
  sumOfUsages,
} from "./bill-line";
import { costOf } from "./owed";
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
const owed = ({ usage, at }: Call) => costOf(usage, price, at);
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

const dated = (line: BillLine): BillLine => ({ ...line, model: "large-2026-08-07" });
test("a bill that names snapshots raises no alarm, with ids and without them", () => {
  const named = lines.map(dated);
  expect(found(named)).toEqual([]);
  const nameless = calls.map((call) => ({ ...call, ref: null }));
  expect(
    found(
      named.map((line) => ({ ...line, ref: null })),
      { calls: nameless },
    ),
  ).toEqual([]);
  // Rates that are noted for the bill's name only count, too.
  const other: ModelRates[] = [{ model: "large-2026-08-07", from: 0, price }];
  expect(found(named, { rates: other })).toEqual([]);
  expect(found(lines, { rates: other })).toEqual(["no_rate"]);
});

test("a dearer snapshot is found: by its amounts, or by the rates that are noted of it", () => {
  const dear = { input: 2n * price.input, output: 2n * price.output };
  const billed = calls.map((call) => ({
    ...dated(lineOf(call)),
    amount: costOf(call.usage, dear, call.at),
  }));
  expect(found(billed)).toEqual(["other_rate"]);
  const noted = [...rates, { model: "large-2026-08-07", from: 0, price: dear }];
  expect(found(billed, { rates: noted })).toEqual(["other_model"]);
  const untold = billed.map((line) => ({ ...line, amount: null }));
  const { differences } = reconcile(untold, { ...book, rates: noted });
  expect(causesOf(differences)).toEqual(["other_model"]);
});

test("sums by hour that name snapshots agree, whatever name was asked; what is too much is found", () => {
  // Each hour has a call by either name, and the bill sums them under the snapshot's.
  const asked = calls.map((call, at) => ({
    ...call,
    at: START + (at >> 1) * HOUR_MS,
    model: at % 2 === 0 ? "large" : "large-2026-08-07",
  }));
  const hours = asked.flatMap((call, at): BillLine[] => {
    const other = asked[at + 1];
    if (at % 2 === 1 || other === undefined) return [];
    const usage = sumOfUsages([call.usage, other.usage]);
    return [dated({ ...lineOf({ ...call, usage }), ref: null, requests: 2 })];
  });
  expect(found(hours, { calls: asked })).toEqual([]);
  const alias = asked.map((call) => ({ ...call, model: "large" }));
  expect(found(hours, { calls: alias })).toEqual([]);
  const more = hours.map((line) => ({
    ...line,
    usage: { ...line.usage, outputTokens: line.usage.outputTokens + 9 },
    amount: (line.amount ?? 0n) + (9n * price.output) / 1_000_000n,
  }));
  expect(found(more, { calls: alias }).filter((cause) => cause !== "rounding")).toEqual([
    "other_tokens",
  ]);
  // Of a snapshot with other rates nothing is summed up with those of the name.
  const noted = [
    ...rates,
    { model: "large-2026-08-07", from: 0, price: { input: 1n, output: 1n } },
  ];
  expect(found(hours, { calls: alias, rates: noted })).toEqual(["unknown_call", "not_billed"]);
});

/** The tokens in and out of a call on a line each. */
const split = (call: Call): BillLine[] => {
  const { inputTokens, outputTokens } = call.usage;
  const [input, output] = [
    { inputTokens, outputTokens: 0 },
    { inputTokens: 0, outputTokens },
  ];
  return [input, output].map((usage) => lineOf({ ...call, usage }));
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

const DAY_MS = 24 * HOUR_MS;

test("sums by day agree, with the day of the bill's zone; a day that is too much is found", () => {
  for (const shift of [0, -8 * HOUR_MS]) {
    const dayOf = (at: number) => Math.floor((at - shift) / DAY_MS) * DAY_MS + shift;
    const days = new Map<number, Call[]>();
    for (const call of calls) days.set(dayOf(call.at), [...(days.get(dayOf(call.at)) ?? []), call]);
    const sums = [...days].map(([at, all]): BillLine => {
      const usage = sumOfUsages(all.map((call) => call.usage));
      const amount = all.reduce((sum, call) => sum + owed(call), 0n);
      return { ref: null, at, spanMs: DAY_MS, model: "large", requests: 1, usage, amount };
    });
    expect(found(sums).filter((cause) => cause !== "rounding")).toEqual([]);
    const more = sums.map((line, at) =>
      at === 3 ? { ...line, amount: (line.amount ?? 0n) + 5000n } : line,
    );
    expect(found(more).filter((cause) => cause !== "rounding")).toEqual(["other_rate"]);
  }
});

test("a bill of calls that names only their days agrees; a call of another day is found", () => {
  const named = lines.map((line) => ({
    ...{ ...line, spanMs: DAY_MS },
    at: Math.floor(line.at / DAY_MS) * DAY_MS,
  }));
  expect(found(named)).toEqual([]);
  const [first] = named as [BillLine];
  expect(found([{ ...first, at: first.at + 3 * DAY_MS }, ...named.slice(1)])).toEqual([
    "other_time",
  ]);
});

test("lines whose ids are of another kind are found by their model, tokens and time", () => {
  const renamed = (line: BillLine) => ({ ...line, ref: `req_${line.ref}` });
  expect(found(lines.map(renamed))).toEqual([]);
  const more = { ...(lines[0] as BillLine), usage: { inputTokens: 30_000, outputTokens: 1 } };
  expect(found([...lines.slice(1).map(renamed), renamed(more)])).toEqual([
    "unknown_call",
    "not_billed",
  ]);
  expect(found([...lines, ...lines.slice(0, 4).map(renamed)])).toEqual(["unknown_call"]);
});

test("short calls at the time of a test of the channel are its own; long ones, or more than it made, are not", () => {
  const test = { ref: null, at: START + HOUR_MS, model: "large", usage: null, isTest: true };
  const own = { calls: [...calls, test, { ...test, ref: "Test-1" }] };
  const probe = (more: object = {}): BillLine => ({
    ...{ ref: crypto.randomUUID(), at: test.at - 9000, model: "large-2026-08-07", requests: 1 },
    ...{ usage: { inputTokens: 20, outputTokens: 5 }, amount: 96n, ...more },
  });
  expect(found([...lines, probe(), probe(), probe()], own)).toEqual(["own_test", "unknown_call"]);
  const long = { usage: { inputTokens: 9000, outputTokens: 5 } };
  for (const other of [long, { at: test.at + 3 * HOUR_MS }, { model: "small" }])
    expect(found([...lines, probe(other)], own)).toEqual(["unknown_call"]);
  const byId = probe({ ref: "test-1", ...long });
  expect(found([...lines, byId, probe()], own)).toEqual(["own_test"]);
  expect(found([...lines, byId, probe(), probe()], own)).toEqual(["own_test", "unknown_call"]);
});

test("calls that failed are listed, as long as nothing is billed for them", () => {
  const failed = { ...(calls[0] as Call), ref: "failed-1", usage: null };
  const free = {
    ...(lines[0] as BillLine),
    amount: 0n,
    usage: { inputTokens: 0, outputTokens: 0 },
  };
  const listed = [...lines, { ...free, ref: "failed-1" }, { ...free, ref: "failed-unknown" }];
  expect(found(listed, { calls: [...calls, failed] })).toEqual([]);
  const paid = [...lines, { ...free, ref: "failed-1", amount: 1n }];
  expect(found(paid, { calls: [...calls, failed] })).toEqual(["failed_call"]);
});

test("lines that name no quantity are compared by their amounts", () => {
  const none = { inputTokens: 0, outputTokens: 0 };
  const untold = (more: bigint) =>
    lines.map((line) => ({
      ...{ ...line, usage: none, isUntold: true as const },
      amount: (line.amount ?? 0n) + more,
    }));
  expect(found(untold(0n))).toEqual([]);
  expect(found(untold(2n))).toEqual(["other_rate"]);
  expect(found([...untold(0n), ...untold(0n).slice(0, 3)])).toEqual(["billed_twice"]);
});

test("images and seconds that a bill does not count are those of our book; other counts are found", () => {
  const image: ModelRates = {
    ...{ model: "painter", from: 0 },
    price: { input: 0n, output: 0n, others: [{ unit: "image", amount: 40_000n }] },
  };
  const usage = { inputTokens: 0, outputTokens: 4096, images: 3 };
  const call = { ref: "img-1", at: START, model: "painter", usage };
  const own = { calls: [call], rates: [image] };
  const { images: _, ...tokens } = usage;
  const line = { ...call, requests: 1, amount: 120_000n };
  expect(found([{ ...line, usage: tokens }], own)).toEqual([]);
  expect(found([{ ...line, usage: { ...usage, images: 4 }, amount: 160_000n }], own)).toEqual([
    "other_tokens",
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
