import type pg from "pg";
import { expect, test } from "vitest";
import {
  holdOf,
  openLedgerDatabase,
  releaseOf,
  seedAccount,
  settleOf,
} from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { failureCauseOf } from "../contract/failure-causes";
import { failures } from "../failures/failure-table";
import { chargesByDayAndModel, outstandingByDay } from "./money-days";
import { showTrends } from "./trends";

const { client, ledger, pool } = await opened(openLedgerDatabase());
const account = await seedAccount(client, ledger, 10_000n);

test("requests, charges and failures of all accounts are in the slot of their time", async () => {
  const video = { family: "video" } as const;
  for (const [changes, amount] of [
    [{}, 3n],
    [{}, 4n],
    [video, 50n],
  ] as const) {
    const hold = holdOf(account, 100n, changes);
    await ledger.openHold(hold);
    await ledger.settle(settleOf(hold, amount));
  }
  for (const reason of ["upstream_failed", "no_channel_available", "content_rejected"]) {
    const hold = holdOf(account, 100n, video);
    await ledger.openHold(hold);
    await ledger.release(releaseOf(hold, reason));
  }
  for (const range of ["day", "week", "month"] as const) {
    const { trends, slotCount, slotSeconds, from } = await showTrends({ pool }, { range });
    const last = slotCount - 1;
    expect(Date.parse(from) % (slotSeconds * 1000)).toBe(0);
    expect(trends).toEqual({
      requestsBefore: 0,
      families: [
        {
          family: "text",
          requests: 2,
          charged: "0.000007",
          p95Ms: 12,
          slots: [{ slot: last, requests: 2, charged: "0.000007", p95Ms: 12 }],
        },
        {
          family: "video",
          requests: 4,
          charged: "0.000050",
          p95Ms: 12,
          slots: [{ slot: last, requests: 4, charged: "0.000050", p95Ms: 12 }],
        },
      ],
      failures: [
        { cause: "upstream", requests: 2, slots: [{ slot: last, requests: 2 }] },
        { cause: "review", requests: 1, slots: [{ slot: last, requests: 1 }] },
      ],
    });
  }
});

test("a range with too much to read has no trends instead of an error", async () => {
  const slow = { query: () => Promise.reject(Object.assign(new Error("x"), { code: "57014" })) };
  const answer = await showTrends({ pool: slow as unknown as pg.Pool }, { range: "day" });
  expect(answer).toMatchObject({ trends: null, slotCount: 24 });
});

test("every reason that a release can have is a known failure, and unknown ones are ours", () => {
  expect(failureCauseOf("crash_unknown")).toBe("server");
  expect(failureCauseOf("something else")).toBe("server");
  for (const code of ["upstream_failed", "no_channel_available"] as const) {
    expect(failures[code]).toBeDefined();
    expect(failureCauseOf(code)).toBe("upstream");
  }
});

test("the points outstanding at the end of each day follow from the credits and the charges", async () => {
  const today = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.parse(today) - 2 * 86_400_000);
  const { rows } = await client.query<{ owed: string }>(
    "select sum(credits_posted - debits_posted)::text as owed from wallet",
  );
  const owed = BigInt(rows[0]?.owed ?? 0);
  await client.query("alter table ledger_entry disable trigger all");
  await client.query("update ledger_entry set created_at = now() - interval '1 day'");
  await client.query("alter table ledger_entry enable trigger all");
  const charged = (await chargesByDayAndModel(pool, from)).reduce(
    (sum, { points }) => sum + points,
    0n,
  );
  const days = await outstandingByDay(pool, from);
  expect(days.map(({ points }) => points)).toEqual([0n, owed + charged, owed]);
  expect(days.at(-1)?.day).toBe(today);
});
