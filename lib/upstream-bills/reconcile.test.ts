/** A bill that is right raises no alarm; each way to cheat is found, named and added up. */
import { describe, expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { seeded } from "@/testing/extent/random";
import type { DifferenceCause } from "../contract/bill-words";
import type { TokenUsage } from "../pricing/usage";
import type { BillLine, Difference, ModelRates, OwnCall } from "./bill-line";
import { ratesAt } from "./comparison";
import { costOf } from "./owed";
import { type Book, reconcile } from "./reconcile";

const CALLS = extent(3000, 100_000);
const START = Date.UTC(2026, 10, 1);
const HOUR_MS = 3_600_000;
const price = (input: bigint, output: bigint) => ({
  input,
  output,
  others: [{ unit: "cached_input_token", amount: input / 10n } as const],
});
const rates: ModelRates[] = [
  { model: "large", from: 0, price: price(2_500_000n, 10_000_000n) },
  { model: "small", from: 0, price: price(150_000n, 600_000n) },
  // Dearer from the tenth day on.
  { model: "small", from: START + 10 * 24 * HOUR_MS, price: price(200_000n, 800_000n) },
];
const random = seeded(7);
const whole = (max: number) => random.between(0, max - 1);

type Call = OwnCall & { ref: string };
const calls: Call[] = Array.from({ length: CALLS }, (_, at) => {
  const inputTokens = 100 + whole(20_000);
  const outputTokens = 1 + whole(2000);
  const usage: TokenUsage = {
    inputTokens,
    outputTokens,
    cachedInputTokens: at % 3 === 0 ? whole(inputTokens) : 0,
    reasoningTokens: at % 4 === 0 ? whole(outputTokens) : 0,
  };
  return {
    ref: `chatcmpl-${at}`,
    at: START + whole(30 * 24 * HOUR_MS),
    model: at % 5 === 0 ? "large" : "small",
    usage: at % 50 === 1 ? null : usage,
  };
});
const of = ratesAt(rates);
const cost = (usage: TokenUsage, model: string, at: number) => {
  const found = of(model, at);
  if (found === null) throw new Error("no rates");
  return costOf(usage, found, at);
};

const honest = (): BillLine[] =>
  calls.flatMap(({ ref, at, model, usage }) =>
    usage === null
      ? []
      : [{ ref, at: at - 2000, model, requests: 1, usage, amount: cost(usage, model, at) }],
  );
const period = { from: START, to: START + 31 * 24 * HOUR_MS };
const book: Book = { calls, rates, ...period, step: 1n, total: null };
const sumOf = (differences: readonly Difference[]) =>
  differences.reduce((sum, { amount }) => sum + amount, 0n);
const causesOf = (differences: readonly Difference[]) => [
  ...new Set(differences.map(({ cause }) => cause)),
];

test("a right bill agrees line by line, and to the smallest unit", () => {
  const found = reconcile(honest(), book);
  expect(found.differences).toEqual([]);
  expect([found.agreed, found.billed]).toEqual([found.lines, found.owed]);
});

test("amounts in cents that are rounded to the nearest raise no alarm", () => {
  const step = 10_000n;
  const lines = honest().map((line) => ({
    ...line,
    amount: (((line.amount ?? 0n) + step / 2n) / step) * step,
  }));
  const found = reconcile(lines, { ...book, step });
  expect(causesOf(found.differences)).toEqual(["rounding"]);
  expect(found.billed - found.owed).toBe(sumOf(found.differences));
});

/** Changes every tenth line, where `change` says how. */
const some = (change: (line: BillLine) => BillLine | BillLine[] | null) =>
  honest().flatMap((line, at) => (at % 10 === 0 ? (change(line) ?? line) : line));
const billed = (line: BillLine, usage: TokenUsage): BillLine => ({
  ...line,
  usage,
  amount: cost(usage, line.model, line.at),
});
const raised = (line: BillLine) => ({ ...line, amount: ((line.amount ?? 0n) * 11n) / 10n + 1n });

const cheats: Record<string, { cause: DifferenceCause; lines: () => BillLine[]; book?: Book }> = {
  "a rate raised for all": { cause: "other_rate", lines: () => honest().map(raised) },
  "a rate raised for one model": {
    cause: "other_rate",
    lines: () => honest().map((line) => (line.model === "large" ? raised(line) : line)),
  },
  "a rate raised before its day": {
    cause: "other_rate",
    lines: () =>
      some((line) =>
        line.model === "small" && line.at < START + 9 * 24 * HOUR_MS
          ? { ...line, amount: cost(line.usage, "small", START + 20 * 24 * HOUR_MS) }
          : null,
      ),
  },
  "a least amount for each call": {
    cause: "other_rate",
    lines: () =>
      honest().map((line) => ({
        ...line,
        amount: (line.amount ?? 0n) < 900n ? 900n : line.amount,
      })),
  },
  "cached tokens billed in full": {
    cause: "cached_as_fresh",
    lines: () => honest().map((line) => billed(line, { ...line.usage, cachedInputTokens: 0 })),
  },
  "cached tokens counted twice": {
    cause: "cached_twice",
    lines: () =>
      honest().map((line) => {
        const { inputTokens, cachedInputTokens = 0 } = line.usage;
        return billed(line, { ...line.usage, inputTokens: inputTokens + cachedInputTokens });
      }),
  },
  "reasoning counted twice": {
    cause: "reasoning_twice",
    lines: () =>
      honest().map((line) => {
        const { outputTokens, reasoningTokens = 0 } = line.usage;
        return billed(line, { ...line.usage, outputTokens: outputTokens + reasoningTokens });
      }),
  },
  "lines twice": { cause: "billed_twice", lines: () => some((line) => [line, line]) },
  "failed calls billed": {
    cause: "failed_call",
    lines: () => [
      ...honest(),
      ...calls.flatMap((call) =>
        call.usage === null
          ? [{ ...call, requests: 1, usage: { inputTokens: 500, outputTokens: 0 }, amount: 75n }]
          : [],
      ),
    ],
  },
  "calls moved into a dearer time": {
    cause: "other_time",
    lines: () =>
      some((line) =>
        line.at > START + 9 * 24 * HOUR_MS
          ? null
          : billed({ ...line, at: line.at + 10 * 24 * HOUR_MS }, line.usage),
      ),
  },
  "a dearer model": {
    cause: "other_model",
    lines: () =>
      some((line) =>
        line.model === "large" ? null : billed({ ...line, model: "large" }, line.usage),
      ),
  },
  "more output than came": {
    cause: "other_tokens",
    lines: () =>
      some((line) => billed(line, { ...line.usage, outputTokens: line.usage.outputTokens + 2001 })),
  },
  "calls that we never made": {
    cause: "unknown_call",
    lines: () => some((line) => [line, { ...line, ref: `other-${line.ref}` }]),
  },
  "every amount rounded up to a cent": {
    cause: "rounded_up",
    lines: () =>
      honest().map((line) => ({
        ...line,
        amount: (((line.amount ?? 0n) + 9999n) / 10_000n) * 10_000n,
      })),
    book: { ...book, step: 10_000n },
  },
  "a total above its lines": {
    cause: "other_total",
    lines: honest,
    book: { ...book, total: reconcile(honest(), book).billed + 1_000_000n },
  },
  "a model without rates": {
    cause: "no_rate",
    lines: honest,
    book: { ...book, rates: rates.filter(({ model }) => model === "small") },
  },
};

describe.each(Object.entries(cheats))("%s", (_, { cause, lines, book: own = book }) => {
  test("is found, named and added up", () => {
    const found = reconcile(lines(), own);
    expect(causesOf(found.differences).filter((each) => each !== "rounding")).toEqual([cause]);
    expect(found.billed - found.owed).toBe(sumOf(found.differences));
    const isMore = sumOf(found.differences) > 0n;
    expect(isMore || cause === "no_rate").toBe(true);
  });
});

test("calls without an id are found by their model, tokens and time, each once", () => {
  const nameless = calls.map((call) => ({ ...call, ref: null }));
  const lines = honest().map((line) => ({ ...line, ref: null }));
  expect(reconcile(lines, { ...book, calls: nameless }).differences).toEqual([]);
  const twice = reconcile([...lines, ...lines.slice(0, 5)], { ...book, calls: nameless });
  expect(causesOf(twice.differences)).toEqual(["unknown_call"]);
  expect(twice.differences).toHaveLength(5);
});

test("what the bill lacks is found too", () => {
  const found = reconcile(
    honest().filter((_, at) => at % 10 !== 0),
    book,
  );
  expect(causesOf(found.differences)).toEqual(["not_billed"]);
  expect(found.billed - found.owed).toBe(sumOf(found.differences));
});

/** The same bill by hour and model, without ids. */
function byHour(lines: readonly BillLine[]): BillLine[] {
  const hours = new Map<string, BillLine[]>();
  for (const line of lines) {
    const key = `${Math.floor((line.at + 2000) / HOUR_MS)} ${line.model}`;
    hours.set(key, [...(hours.get(key) ?? []), line]);
  }
  return [...hours].map(([key, all]) => ({
    ref: null,
    at: Number(key.split(" ")[0]) * HOUR_MS,
    model: key.split(" ")[1] ?? "",
    requests: all.length,
    usage: {
      inputTokens: all.reduce((sum, { usage }) => sum + usage.inputTokens, 0),
      outputTokens: all.reduce((sum, { usage }) => sum + usage.outputTokens, 0),
      cachedInputTokens: all.reduce((sum, { usage }) => sum + (usage.cachedInputTokens ?? 0), 0),
    },
    amount: null,
  }));
}

test("a bill of tokens by hour and model agrees, and every wrong hour is found", () => {
  expect(reconcile(byHour(honest()), book).differences).toEqual([]);
  const lines = byHour(honest());
  const more = lines.map((line, at) =>
    at % 10 === 0
      ? { ...line, usage: { ...line.usage, outputTokens: line.usage.outputTokens + 1 } }
      : line,
  );
  const found = reconcile(more, book).differences;
  expect(causesOf(found)).toEqual(["other_tokens"]);
  expect(found).toHaveLength(Math.ceil(lines.length / 10));
  const extra = lines.map((line) => ({
    ...line,
    requests: line.requests + 1,
    usage: { ...line.usage, inputTokens: line.usage.inputTokens + 500 },
  }));
  expect(causesOf(reconcile(extra, book).differences).sort()).toEqual([
    "failed_call",
    "unknown_call",
  ]);
});
