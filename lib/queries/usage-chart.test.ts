import { expect, test } from "vitest";
import { type Made, settleAt } from "@/testing/ledger/settle-at";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  type SeededAccount,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import type { ChartGrouping } from "../contract/states";
import { RelayError } from "../failures/relay-error";
import { type ChartSeries, usageChart } from "./usage-chart";
import { usageSummary } from "./usage-summary";

const { client, ledger, pool } = await opened(openLedgerDatabase());

const november = { from: "2026-11-01", to: "2026-11-30", zone: "UTC" };

const settledAt = (account: SeededAccount, at: string, amount: number, made: Made = {}) =>
  settleAt(client, account, at, amount, made);

const chargedOf = (series: readonly ChartSeries[]) =>
  Object.fromEntries(series.map(({ id, charged }) => [id ?? "others", Number(charged)]));

test("the days of all series add up to the sums of the same filter", async () => {
  const account = await seedAccount(client, ledger, 10_000n);
  for (let made = 0; made < 4; made++) {
    const hold = holdOf(account, 100n, made === 0 ? { apiKeyId: null, source: "playground" } : {});
    await ledger.openHold(hold);
    if (made < 2) await ledger.settle(settleOf(hold, BigInt(made + 1)));
    else if (made < 3) await ledger.release(releaseOf(hold, "upstream_timeout"));
  }
  const filter = { from: dayFromNow(-1), to: dayFromNow(1), zone: "UTC" };
  for (const restricted of [filter, { ...filter, status: "settled" as const }]) {
    const { total } = await usageSummary(pool, account.accountId, restricted, "day");
    for (const group of ["model", "family", "key"] as const) {
      const series = await usageChart(pool, account.accountId, restricted, group);
      const all = series.flatMap((each) => each.days);
      expect(
        all.reduce((sum, { requests }) => sum + requests, 0),
        group,
      ).toBe(total.requests);
      expect(
        all.reduce((sum, { charged }) => sum + charged, 0n),
        group,
      ).toBe(total.charged);
      expect(series.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(total.inputTokens);
    }
  }
});

test("series stand in the order of their charges, and all beyond the sixth are one", async () => {
  const account = await seedAccount(client, ledger, 0n);
  for (let place = 1; place <= 9; place++) {
    const model = `model-${place}`;
    const { rows } = await client.query<{ id: string }>(
      "insert into price_version (model, output_price, created_by, effective_at) values ($1, 1, 'test', '2026-01-01') returning id",
      [model],
    );
    const priced = { ...account, priceVersionId: rows[0]?.id ?? "" };
    await settledAt(priced, "2026-11-10T12:00:00Z", place * 10, { model });
  }
  const series = await usageChart(pool, account.accountId, november, "model");
  expect(series.map(({ id }) => id)).toEqual([
    "model-9",
    "model-8",
    "model-7",
    "model-6",
    "model-5",
    "model-4",
    null,
  ]);
  expect(chargedOf(series)).toMatchObject({ "model-9": 90, others: 60 });
  expect(series.at(-1)?.days).toMatchObject([{ day: "2026-11-10", requests: 3, charged: 60n }]);
});

test("days are those of the time zone, and only days with requests are listed", async () => {
  const account = await seedAccount(client, ledger, 0n);
  await settledAt(account, "2026-11-10T23:30:00Z", 1);
  await settledAt(account, "2026-11-12T00:30:00Z", 2);
  const daysIn = async (zone: string) =>
    (await usageChart(pool, account.accountId, { ...november, zone }, "family"))[0]?.days.map(
      ({ day }) => day,
    );
  expect(await daysIn("UTC")).toEqual(["2026-11-10", "2026-11-12"]);
  expect(await daysIn("Europe/Berlin")).toEqual(["2026-11-11", "2026-11-12"]);
  expect(await daysIn("America/New_York")).toEqual(["2026-11-10", "2026-11-11"]);
});

test("times are medians and 95th percentiles of what was measured, by day and over the range", async () => {
  const account = await seedAccount(client, ledger, 0n);
  for (const [day, ms, firstMs] of [
    ["10", 100, 10],
    ["10", 300, 30],
    ["10", 900, null],
    ["11", 50, null],
  ] as const)
    await settledAt(account, `2026-11-${day}T12:00:00Z`, 1, { ms, firstMs });
  const [series] = await usageChart(pool, account.accountId, november, "model");
  expect(series).toMatchObject({ latencyMs: 101, latencyP95Ms: 919, firstTokenMs: 10 });
  expect(series?.days).toMatchObject([
    { latencyMs: 298, latencyP95Ms: 919, firstTokenMs: 10, firstTokenP95Ms: 30 },
    { latencyMs: 50, latencyP95Ms: 50, firstTokenMs: null, firstTokenP95Ms: null },
  ]);
  const without = await usageChart(pool, account.accountId, november, "model", { times: "no" });
  const noLatency = { latencyMs: null, latencyP95Ms: null };
  const noFirstToken = { firstTokenMs: null, firstTokenP95Ms: null };
  const unknown = { ...noLatency, ...noFirstToken };
  expect(without).toEqual([
    { ...series, ...unknown, days: series?.days.map((each) => ({ ...each, ...unknown })) },
  ]);
  for (const [times, other] of [
    ["latency", noFirstToken],
    ["firstToken", noLatency],
  ] as const)
    expect(await usageChart(pool, account.accountId, november, "model", { times })).toEqual([
      { ...series, ...other, days: series?.days.map((each) => ({ ...each, ...other })) },
    ]);
});

test("a key's series has its name, and requests without a key are one series", async () => {
  const account = await seedAccount(client, ledger, 0n);
  await settledAt(account, "2026-11-10T12:00:00Z", 5);
  await settledAt(account, "2026-11-10T12:00:00Z", 3, { apiKeyId: null });
  expect(await usageChart(pool, account.accountId, november, "key")).toMatchObject([
    { id: account.apiKeyId, name: "test", charged: 5n },
    { id: "", name: null, charged: 3n },
  ]);
});

test("two groupings divide the requests by both, each part with its name", async () => {
  const account = await seedAccount(client, ledger, 0n);
  await settledAt(account, "2026-11-10T12:00:00Z", 5);
  await settledAt(account, "2026-11-11T12:00:00Z", 4);
  await settledAt(account, "2026-11-10T12:00:00Z", 3, { family: "image" });
  await settledAt(account, "2026-11-10T12:00:00Z", 2, { apiKeyId: null });
  const by = (group: ChartGrouping, thenBy: ChartGrouping) =>
    usageChart(pool, account.accountId, november, group, { thenBy });
  const key = { id: account.apiKeyId, name: "test" };
  expect(await by("family", "key")).toMatchObject([
    { id: "text", name: null, second: key, charged: 9n, days: [{ charged: 5n }, { charged: 4n }] },
    { id: "image", second: key, charged: 3n },
    { id: "text", second: { id: "", name: null }, charged: 2n },
  ]);
  expect(await by("key", "model")).toMatchObject([
    { ...key, second: { id: "test-model", name: null }, charged: 12n },
    { id: "", charged: 2n },
  ]);
  await client.query(
    "insert into api_key (id, account_id, name, key_hash, hint, created_by) values ($1, $2, 'own', sha256($3), 'own', 'user_maker')",
    [`${key.id}-own`, account.accountId, Buffer.from(`${key.id}-own`)],
  );
  await settledAt(account, "2026-11-10T12:00:00Z", 20, { apiKeyId: `${key.id}-own` });
  expect(await by("member", "model")).toMatchObject([
    { id: "user_maker", second: { id: "test-model" }, charged: 20n },
    { id: "", charged: 14n },
  ]);
  expect(await by("model", "member")).toMatchObject([
    { id: "test-model", second: { id: "user_maker" }, charged: 20n },
    { second: { id: "" }, charged: 14n },
  ]);
});

test("another account's requests are not in the chart, and an unknown zone is refused", async () => {
  const [one, other] = [
    await seedAccount(client, ledger, 0n),
    await seedAccount(client, ledger, 0n),
  ];
  await settledAt(one, "2026-11-10T12:00:00Z", 5);
  expect(await usageChart(pool, other.accountId, november, "model")).toEqual([]);
  await expect(
    usageChart(pool, one.accountId, { ...november, zone: "Mars" }, "model"),
  ).rejects.toBeInstanceOf(RelayError);
});
