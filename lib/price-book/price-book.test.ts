import type pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { builtInModels as models } from "../catalog/built-in";
import { setPrice } from "../commands/prices";
import { type Changes, openChanges } from "../db/changes";
import { openPool } from "../db/pool";
import { createPriceBook, readPrices } from "./price-book";
import { seedPrices } from "./set-price";

let pool: pg.Pool;
let changes: Changes;

beforeEach(async () => {
  const url = await createTestDatabase();
  pool = openPool(url, 8);
  changes = await openChanges(url);
});
afterEach(async () => {
  await changes.close();
  await pool.end();
});

test("eight processes that seed at once create one default price for each model", async () => {
  await Promise.all(Array.from({ length: 8 }, () => seedPrices(pool)));
  expect((await pool.query("select count(*)::int as n from price_version")).rows[0].n).toBe(
    models.length,
  );
  const book = await createPriceBook({ pool, changes });
  expect(book.current("RelayV1")?.price).toEqual({ input: 80_000_000n, output: 800_000_000n });
  for (const model of models) expect(book.current(model.id)?.price.output).toBeGreaterThan(0n);
});

test("an operator's price soon applies from memory, is not undone by seeding, and keeps the earlier version", async () => {
  await seedPrices(pool);
  const book = await createPriceBook({ pool, changes });
  const before = book.current("RelayV1");
  await setPrice({ pool }, "cli", { model: "relay-v1", input: 1n, output: 2n, effectiveAt: null });
  await vi.waitFor(
    () => expect(book.current("RelayV1")?.price).toEqual({ input: 1n, output: 2n }),
    { timeout: 5000 },
  );
  expect(book.current("RelayV1")?.id).not.toBe(before?.id);
  await seedPrices(pool);
  expect(
    (await pool.query("select count(*)::int as n from price_version where model = 'RelayV1'"))
      .rows[0].n,
  ).toBe(2);
});

test("of prices set for the same time the last one applies", async () => {
  for (let i = 1; i <= 20; i++)
    await setPrice({ pool }, "cli", {
      model: "RelayV1",
      input: 0n,
      output: BigInt(i),
      effectiveAt: null,
    });
  expect(
    (await readPrices(pool)).find((version) => version.model === "RelayV1")?.price.output,
  ).toBe(20n);
});

test.each([
  ["gpt-4", "0", "1", "model_not_found"],
  ["RelayV1", "-1", "1", "invalid_value"],
  ["RelayV1", "0", "1000000000001", "invalid_value"],
  ["Super-Relay", "1", "1", "unsupported_value"],
])("an invalid price is refused: %s at %s and %s", async (model, input, output, code) => {
  await expect(
    setPrice({ pool }, "cli", {
      model,
      input: BigInt(input),
      output: BigInt(output),
      effectiveAt: null,
    }),
  ).rejects.toMatchObject({
    code,
  });
});
