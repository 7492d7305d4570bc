/** What the queries of charts read, in a database with some history. */
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect, openTestLedger, seedAccount } from "@/testing/ledger/test-ledger";
import type { OpenLedger } from "../ledger/ledger";
import { readHealthSlots } from "./channel-health";
import { openReadPool } from "./history";
import { showTrends } from "./trends";
import { usageChart } from "./usage-chart";
import { usagePage } from "./usage-log";

const DAYS = 90;
const REQUESTS = 60_000;

let client: pg.Client;
let pool: pg.Pool;
let ledger: OpenLedger;
let accountId: string;

beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  pool = openReadPool(url);
  ledger = await openTestLedger(url);
  const accounts = await Promise.all(
    Array.from({ length: 20 }, () => seedAccount(client, ledger, 1n)),
  );
  accountId = accounts[0]?.accountId ?? "";
  const tables = ["operation", "settlement", "channel_minute"];
  for (const table of tables) await client.query(`alter table ${table} disable trigger all`);
  const ids = accounts.map((account) => account.accountId);
  const made = `select i, now() - interval '${DAYS} days' * (1 - i::float8 / ${REQUESTS}) as at, ($1::text[])[1 + i % 20] as account
                  from generate_series(1, ${REQUESTS}) i`;
  const id = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || '8' || lpad(to_hex(i), 15, '0'))::uuid`;
  await client.query(
    `insert into operation (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, created_at, deadline)
     select ${id}, account, 'api', 'req_' || i, 'text', 'test-model', $2, 1000000, 1, 1, sha256('x'), at, at + interval '1 hour' from (${made}) m`,
    [ids, accounts[0]?.priceVersionId],
  );
  await client.query(
    `insert into settlement (operation_id, account_id, hold_amount, outcome, amount, input_tokens, output_tokens, usage, duration_ms, created_at)
     select id, account_id, 1, 'settled', 1, 1, 1, '{}', 5, created_at from operation`,
  );
  await client.query(
    `insert into channel_minute (channel_id, minute, succeeded, latencies)
     select 'ch_' || c, now() - interval '1 minute' * m, 1, array_fill(0, array[50]) from generate_series(1, 4) c, generate_series(1, 8 * 1440) m`,
  );
  await client.query("analyze");
}, 60_000);
afterAll(async () => {
  await ledger?.close();
  await pool?.end();
  await client?.end();
});

/** The plans of the queries that a function sends. */
async function plansOf(read: (pool: pg.Pool) => Promise<unknown>): Promise<string[]> {
  const sent: [string, unknown[]][] = [];
  const recording = {
    query(sql: string, values: unknown[] = []) {
      sent.push([sql, values]);
      return pool.query(sql, values);
    },
  };
  await read(recording as unknown as pg.Pool);
  const plans: string[] = [];
  for (const [sql, values] of sent) {
    const { rows } = await pool.query(`explain (analyze, costs off) ${sql}`, values);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  return plans;
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

test("a chart of usage reads the requests of its account and range only", async () => {
  const range = { from: day(6), to: day(0), zone: "UTC" };
  const [plan = ""] = await plansOf((over) => usageChart(over, accountId, range, "model"));
  expect(plan).toContain("operation_earlier_account");
  expect(plan).not.toMatch(/Seq Scan on (operation|settlement)_earlier/);
});

test("the operators' trends of a day read the requests of that day only", async () => {
  const plans = await plansOf((over) => showTrends({ pool: over }, { range: "day" }));
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan).toMatch(/operation_earlier_(pkey|account)/);
    expect(plan).not.toMatch(/Seq Scan on (operation|settlement)_earlier/);
  }
});

test("the health of channels reads the minutes of a day only", async () => {
  const [plan = ""] = await plansOf((over) => readHealthSlots(over));
  expect(plan).toMatch(/Index Scan using channel_minute_/);
  expect(plan).not.toContain("Seq Scan on channel_minute");
});

test("the log of released requests reads the few hours that have one", async () => {
  await client.query(
    `insert into usage_hour (account_id, hour, api_key_id, model, dialect, family, settled, released, input_tokens, output_tokens, amount, latency, first_token)
     select $1, date_trunc('hour', now()) - interval '1 hour' * h, '', 'model-' || m, '', 'text', 1, (h % 50 = 0)::int, 1, 1, 1, '{}', '{}'
       from generate_series(1, ${DAYS * 24}) h, generate_series(1, 20) m`,
    [accountId],
  );
  await client.query("vacuum analyze usage_hour");
  const range = { from: day(DAYS), to: day(0), zone: "UTC", status: "released" } as const;
  const [plan = ""] = await plansOf((over) => usagePage(over, accountId, range));
  expect(plan).toContain("usage_hour_released");
  expect(plan).not.toMatch(/(Seq|Bitmap Heap) Scan on usage_hour/);
});
