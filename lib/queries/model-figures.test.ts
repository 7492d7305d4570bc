import { expect, test } from "vitest";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { causeReasons, ownReasons } from "../contract/states";
import { countAll } from "../ledger/usage/usage-counter";
import { lastDays, lastWeek, readLastHour, readModelFigures } from "./model-figures";

const { client, ledger, pool } = await opened(openLedgerDatabase());
const account = await seedAccount(client, ledger, 10_000n);

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

async function assertFigures() {
  const figures = await readModelFigures(pool, lastWeek);
  expect(figures.map(({ model }) => model).toSorted()).toEqual([
    "RelayV1",
    "Super-Relay",
    "Super-Relay2.0",
  ]);
  const busy = figures.find(({ model }) => model === "RelayV1");
  expect(busy).toMatchObject({
    success: 0.9,
    availability: 1,
    recent: 0.9,
    usualMs: expect.any(Number),
  });
  expect(busy?.slots).toHaveLength(28);
  expect(busy?.slots.at(-1)).toBe(0.9);
  expect(busy?.slots.slice(0, -1)).toEqual(Array(27).fill(null));
  // Most of the requests of the only hour failed.
  expect(figures.find(({ model }) => model === "Super-Relay")).toMatchObject({
    success: 0.25,
    availability: 0,
  });
  // Too few to tell.
  expect(figures.find(({ model }) => model === "Super-Relay2.0")).toMatchObject({
    success: null,
    availability: null,
    recent: 1,
    usualMs: null,
    firstTokenMs: null,
  });
}

test("failures of the upstream count against a model, those of the request or its client do not", async () => {
  await make(27, "RelayV1", null);
  await make(3, "RelayV1", "upstream_failed");
  await make(5, "RelayV1", "content_rejected");
  await make(5, "RelayV1", "client_gone");
  // Still running.
  await ledger.openHold(holdOf(account, 10n, await holdFor("RelayV1")));
  await make(19, "Super-Relay2.0", null);
  await make(5, "Super-Relay", null);
  await make(15, "Super-Relay", "internal_error");
  await assertFigures();
  // Those of a request's own doing count as requests only.
  expect(await readLastHour(pool)).toEqual({
    requests: 79,
    isMore: false,
    success: 51 / 69,
    firstTokenMs: null,
  });
  expect(await readLastHour(pool, Date.now() + 3_700_000)).toMatchObject({
    requests: 0,
    success: null,
  });
});

test("the figures are the same when the requests are in the sums", async () => {
  await countAll(client);
  const { rows } = await client.query("select sum(failed)::int as failed from usage_total_hour");
  expect(rows).toEqual([{ failed: 18 }]);
  await assertFigures();
});

test("a day that is long ago has its own part of 90 days", async () => {
  const later = Date.now() + 80 * 86_400_000;
  const figures = await readModelFigures(pool, lastDays, later);
  const busy = figures.find(({ model }) => model === "RelayV1");
  expect(busy).toMatchObject({ success: 0.9, recent: null, usualMs: expect.any(Number) });
  expect(busy?.slots.flatMap((success, at) => (success === null ? [] : [[at, success]]))).toEqual([
    [9, 0.9],
  ]);
});

test("requests of more than seven days ago are not read", async () => {
  expect(await readModelFigures(pool, lastWeek, Date.now() + 8 * 86_400_000)).toEqual([]);
});

test("the database and the pages agree on which reasons are a request's own", async () => {
  const { rows } = await client.query<{ text: string }>(
    "select pg_get_viewdef('usage_row'::regclass) as text",
  );
  const words = [...(rows[0]?.text ?? "").matchAll(/'([a-z_]+)'/g)].map(([, word]) => word);
  const reasons = Object.values(causeReasons).flat();
  expect(reasons.filter((reason) => words.includes(reason))).toEqual(ownReasons);
});
