import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import {
  connect,
  holdOf,
  openTestLedger,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import type { OpenLedger } from "../ledger/ledger";
import { openReadPool } from "./history";
import { keepModelFigures, readModelFigures } from "./model-figures";

let client: pg.Client;
let ledger: OpenLedger;
let pool: pg.Pool;
let account: SeededAccount;

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  ledger = await openTestLedger(url);
  pool = openReadPool(url);
  account = await seedAccount(client, ledger, 10_000n);
});
afterAll(async () => {
  await ledger?.close();
  await pool?.end();
  await client?.end();
});

async function holdFor(model: string) {
  const { rows } = await client.query<{ id: string }>(
    `insert into price_version (model, input_price, output_price, created_by) values ($1, 1, 1, 'test') returning id`,
    [model],
  );
  return { model, priceVersionId: rows[0]?.id ?? "" };
}

async function make(count: number, model: string, reason: string | null) {
  const changes = await holdFor(model);
  for (let request = 0; request < count; request++) {
    const hold = holdOf(account, 10n, changes);
    await ledger.openHold(hold);
    await (reason === null
      ? ledger.settle(settleOf(hold, 3n))
      : ledger.release(releaseOf(hold, reason)));
  }
}

test("failures of the upstream count against a model, those of the request or its client do not", async () => {
  await make(27, "RelayV1", null);
  await make(3, "RelayV1", "upstream_failed");
  await make(5, "RelayV1", "content_rejected");
  await make(5, "RelayV1", "client_gone");
  // Still running.
  await ledger.openHold(holdOf(account, 10n, await holdFor("RelayV1")));
  await make(19, "Super-Relay2.0", null);
  const figures = await readModelFigures(pool);
  expect(figures.map(({ model }) => model).toSorted()).toEqual(["RelayV1", "Super-Relay2.0"]);
  const busy = figures.find(({ model }) => model === "RelayV1");
  expect(busy).toMatchObject({ success: 0.9, usualMs: expect.any(Number) });
  expect(busy?.slots).toHaveLength(28);
  expect(busy?.slots.at(-1)).toBe(0.9);
  expect(busy?.slots.slice(0, -1)).toEqual(Array(27).fill(null));
  // Too few to tell.
  expect(figures.find(({ model }) => model === "Super-Relay2.0")).toMatchObject({
    success: null,
    usualMs: null,
    firstTokenMs: null,
  });
});

test("requests of more than seven days ago are not read", async () => {
  expect(await readModelFigures(pool, Date.now() + 8 * 86_400_000)).toEqual([]);
});

test("the figures are read once in five minutes, and the former ones are kept while that fails", async () => {
  let now = 0;
  let reads = 0;
  const figures = (model: string) => [
    { model, success: 1, usualMs: 1, firstTokenMs: null, slots: [] },
  ];
  const answers = [
    () => Promise.resolve(figures("a")),
    () => Promise.reject(new Error("away")),
    () => Promise.resolve(figures("b")),
  ];
  const kept = keepModelFigures(
    () => answers[reads++]?.() ?? Promise.reject(new Error("too many reads")),
    () => now,
  );
  const names = async () => (await kept()).map(({ model }) => model);
  expect(await Promise.all([names(), names(), names()])).toEqual([["a"], ["a"], ["a"]]);
  expect(reads).toBe(1);
  for (const expected of ["a", "a"]) {
    now += 300_000;
    await names();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await names()).toEqual([reads === 3 ? "b" : expected]);
  }
  expect(reads).toBe(3);
});

test("a page does not wait long for the first figures", async () => {
  const kept = keepModelFigures(() => new Promise(() => {}));
  expect(await kept()).toEqual([]);
});
