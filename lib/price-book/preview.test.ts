import type pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { setPrice, withdrawPrice } from "../commands/prices";
import { type Changes, openChanges } from "../db/changes";
import { openPool } from "../db/pool";
import { priceOf } from "../pricing/price";
import { timeOfDay } from "../pricing/price-at";
import { previewPrice } from "./preview";
import { createPriceBook, readPrices } from "./price-book";
import { readPriceVersions, readUpcomingPrices } from "./price-schedule";
import { seedPrices } from "./set-price";

let url: string;
let pool: pg.Pool;
let changes: Changes;

beforeEach(async () => {
  url = await createTestDatabase();
  pool = openPool(url, 8);
  changes = await openChanges(url);
  await seedPrices(pool);
});
afterEach(async () => {
  await changes.close();
  await pool.end();
});

const RelayV1 = { input: 80_000_000n, output: 800_000_000n };
const present = async () =>
  (await readPrices(pool)).find(({ model }) => model === "RelayV1")?.price;
const set = (output: bigint, effectiveAt?: Date) =>
  setPrice({ pool }, "cli", {
    model: "RelayV1",
    input: 1n,
    output,
    effectiveAt: effectiveAt ?? null,
  });

test("a planned price applies in every process within five seconds of its start, and not before", async () => {
  const books = await Promise.all([1, 2].map(() => createPriceBook({ pool, changes })));
  const { effectiveAt } = await set(7n, new Date(Date.now() + 1500));
  expect(await present()).toEqual(RelayV1);
  expect(await readUpcomingPrices(pool)).toMatchObject([
    { model: "RelayV1", price: { output: 7n }, createdBy: "cli" },
  ]);
  for (const book of books) expect(book.current("RelayV1")?.price).toEqual(RelayV1);
  for (const book of books) {
    await vi.waitFor(() => expect(book.current("RelayV1")?.price.output).toBe(7n), {
      timeout: 6500,
    });
  }
  expect(Date.now()).toBeGreaterThanOrEqual(effectiveAt.getTime());
  expect(await readUpcomingPrices(pool)).toEqual([]);
});

test("of several prices for one time the last applies; withdrawn, the previous price stays", async () => {
  const soon = new Date(Date.now() + 3_600_000);
  const later = new Date(Date.now() + 7_200_000);
  await set(5n, soon);
  const second = await set(6n, soon);
  const third = await set(9n, later);
  expect((await readUpcomingPrices(pool)).map(({ price }) => price.output)).toEqual([6n, 9n]);
  await withdrawPrice({ pool }, "cli", { id: second.id });
  expect((await readUpcomingPrices(pool)).map(({ price }) => price.output)).toEqual([9n]);
  await expect(withdrawPrice({ pool }, "cli", { id: second.id })).rejects.toMatchObject({
    code: "not_found",
  });
  for (const id of ["1", "x", "999999"])
    await expect(withdrawPrice({ pool }, "cli", { id })).rejects.toMatchObject({
      code: "not_found",
    });
  await withdrawPrice({ pool }, "cli", { id: third.id });
  expect(await readUpcomingPrices(pool)).toEqual([]);
  expect(await present()).toEqual(RelayV1);
  await expect(set(1n, new Date(Date.now() - 1000))).rejects.toMatchObject({
    code: "invalid_value",
    param: "effective",
  });
});

test("eight operators who set a price for one time at once all succeed, and one of the prices applies", async () => {
  const soon = new Date(Date.now() + 3_600_000);
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, each) => set(BigInt(each + 1), soon)),
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(8);
  expect(await readUpcomingPrices(pool)).toHaveLength(1);
});

test("the history is complete and in order across its pages", async () => {
  for (let each = 1; each <= 60; each++)
    await set(BigInt(each), new Date(Date.now() + each * 3_600_000));
  const first = await readPriceVersions(pool, { model: "RelayV1" });
  const second = await readPriceVersions(pool, {
    model: "RelayV1",
    cursor: first.nextCursor ?? "",
  });
  expect([first.versions.length, second.versions.length, second.nextCursor]).toEqual([
    50,
    11,
    null,
  ]);
  const all = [...first.versions, ...second.versions];
  expect(new Set(all.map(({ id }) => id)).size).toBe(61);
  expect(all.map(({ effectiveAt }) => effectiveAt.getTime())).toEqual(
    all.map(({ effectiveAt }) => effectiveAt.getTime()).sort((a, b) => b - a),
  );
});

test("a preview prices each real request again with its own multiplier, rounded like its charge", async () => {
  const ledger = await openTestLedger(url);
  const client = await connect(url);
  const account = await seedAccount(client, ledger, 100_000_000n);
  const ends = [];
  for (const [input, output, ppm] of [
    [10, 20, 1_000_000],
    [333, 1, 850_000],
    [0, 7, 1_250_001],
  ] as const) {
    const hold = holdOf(account, 5_000_000n, { model: "RelayV1", multiplierPpm: ppm });
    const versions = await readPrices(pool);
    await ledger.openHold({
      ...hold,
      priceVersionId: versions.find(({ model }) => model === "RelayV1")?.id ?? "",
    });
    const amount = priceOf({ inputTokens: input, outputTokens: output }, RelayV1, ppm);
    await ledger.settle({
      ...settleOf(hold, amount),
      usage: { inputTokens: input, outputTokens: output, reported: {} },
    });
    ends.push({ usage: { inputTokens: input, outputTokens: output }, ppm, amount });
  }
  const next = { input: 77_777_777n, output: 900_000_001n };
  const preview = await previewPrice(pool, "RelayV1", RelayV1, next);
  const charged = ends.reduce((sum, { amount }) => sum + amount, 0n);
  expect(preview).toEqual({
    model: "RelayV1",
    days: 30,
    requests: 3,
    isPartial: false,
    inputTokens: 343,
    outputTokens: 28,
    charged,
    atPresent: charged,
    atNew: ends.reduce((sum, { usage, ppm }) => sum + priceOf(usage, next, ppm), 0n),
    units: [
      expect.objectContaining({ unit: "input_token", quantity: 343 }),
      expect.objectContaining({ unit: "output_token", quantity: 28 }),
    ],
  });
  const others = [{ unit: "request", amount: 5n }] as const;
  const withFee = await previewPrice(pool, "RelayV1", RelayV1, { ...next, others });
  // The fee of each request is multiplied as its tokens are: 5 × (1 + 0.85 + 1.250001).
  const fees = { unit: "request", quantity: 3, atPresent: 0n, atNew: 16n };
  expect(withFee.units.at(-1)).toEqual(fees);
  // At the length and the hour of each request, which its price did not depend on.
  const clock = (hours: number) => timeOfDay(Date.now() + hours * 3_600_000);
  const varied = {
    ...next,
    others: [
      { unit: "input_token", input_from: 300, amount: 5_000_000n },
      { unit: "output_token", hours: `${clock(-6)}-${clock(6)}`, amount: 3_000_000n },
      { unit: "output_token", hours: `${clock(6)}-${clock(9)}`, amount: 9_000_000n },
    ],
  } as const;
  const atLength = await previewPrice(pool, "RelayV1", RelayV1, varied);
  const due = ends.map(({ usage, ppm }) => {
    const input = usage.inputTokens >= 300 ? 5_000_000n : next.input;
    return priceOf(usage, { input, output: 3_000_000n }, ppm);
  });
  expect(atLength.atNew).toBe(due.reduce((sum, each) => sum + each));
  expect(atLength.units.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ["input_token", 343],
    ["output_token", 28],
  ]);
  expect(await previewPrice(pool, "Super-Relay", null, next)).toMatchObject({
    requests: 0,
    charged: 0n,
    atPresent: null,
    atNew: 0n,
  });
  await Promise.all([ledger.close(), client.end()]);
});
