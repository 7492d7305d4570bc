/** Compares the operators' figures with plain sums over all requests, in every state of the sums. */
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { writeHistory } from "@/testing/ledger/history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { countAll, countPiece } from "../ledger/usage/usage-counter";
import { chargesByDayAndModel, outstandingByDay } from "./money-days";
import { chargesByChannel } from "./money-sums";
import { madeHours } from "./total-facts";

const url = await createTestDatabase();
const owner = await opened(connect(url));
const pool = await opened(new pg.Pool({ connectionString: url, max: 4 }));
await seedPrice(owner);
await owner.query(
  "insert into price_version (model, output_price, created_by, effective_at) values ('an-image', 9000000, 'test', '2026-01-01')",
);
await writeHistory(owner, { accounts: 3, requests: 2000, days: 6, open: 5, seed: 9 });

const DAY_MS = 86_400_000;
const from = new Date((Math.floor(Date.now() / DAY_MS) - 3) * DAY_MS);
const plain = async (groups: string, places: string) =>
  (
    await pool.query(
      `select ${groups}, count(*)::int as count, sum(amount)::text as points, sum(input_tokens)::int as "inputTokens", sum(output_tokens)::int as "outputTokens"
         from request where outcome = 'settled' and ended_at >= $1 group by ${places} order by ${places}`,
      [from],
    )
  ).rows.map((row) => ({ ...row, points: BigInt(row.points) }));

test.each([
  ["while all requests wait", async () => {}],
  ["while some wait", async () => void (await countPiece(pool, 900))],
  ["when all are counted", () => countAll(pool)],
])("%s, the sums over all accounts are those of the requests", async (_, reach) => {
  await reach();
  expect(await chargesByDayAndModel(pool, from)).toEqual(
    await plain("(ended_at at time zone 'UTC')::date::text as day, model", "1, 2"),
  );
  const channels = (await chargesByChannel(pool, from)) ?? [];
  expect(
    channels
      .map(({ name: _name, channelId, ...sum }) => ({ channelId, ...sum }))
      .sort((a, b) => (a.channelId < b.channelId ? -1 : 1)),
  ).toEqual(await plain('channel_id as "channelId"', "1"));
  const { rows } = await pool.query(
    `with ${madeHours} select sum(settled)::int as settled, sum(released)::int as released, sum(amount)::text as amount from hours`,
    [from],
  );
  const made = await pool.query(
    `select (count(*) filter (where outcome = 'settled'))::int as settled, (count(*) filter (where outcome = 'released'))::int as released,
            sum(amount)::text as amount from request where created_at >= $1`,
    [from],
  );
  expect(rows).toEqual(made.rows);
  const owed = await outstandingByDay(pool, from);
  expect(owed.at(-1)?.points).toBe(
    BigInt(
      (await pool.query("select sum(credits_posted - debits_posted)::text as n from wallet"))
        .rows[0].n,
    ),
  );
});
