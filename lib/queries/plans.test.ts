/** What the queries of charts read, in a database with some history. */
import type pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { openLedgerDatabase, seedAccount } from "@/testing/ledger/test-ledger";
import { dayFromNow } from "@/testing/unit/day-from-now";
import { opened } from "@/testing/unit/opened";
import { firstOperationId } from "../crypto/ids";
import { readHealthSlots } from "./channel-health";
import { history } from "./history";
import { requestLogPage } from "./request-log";
import { showTrends } from "./trends";
import { usageChart } from "./usage-chart";
import { runningRequests, usagePage } from "./usage-log";

const DAYS = 90;
const REQUESTS = 60_000;
/** More, of one account, that are open. */
const OPEN = 20;

const { client, pool, ledger } = await opened(openLedgerDatabase());
const accounts = await Promise.all(
  Array.from({ length: 20 }, () => seedAccount(client, ledger, 1n)),
);
const accountId = accounts[0]?.accountId ?? "";
const tables = ["request", "open_request", "channel_minute"];
beforeAll(async () => {
  for (const table of tables) await client.query(`alter table ${table} disable trigger all`);
  const ids = accounts.map((account) => account.accountId);
  const made = `select i, now() - interval '${DAYS} days' * (1 - i::float8 / ${REQUESTS}) as at, ($1::text[])[1 + i % 20] as account
                  from generate_series(1, ${REQUESTS}) i`;
  const id = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0') || '8' || lpad(to_hex(i), 15, '0'))::uuid`;
  await client.query(
    `insert into request (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, created_at, deadline,
       outcome, amount, input_tokens, output_tokens, usage, duration_ms, ended_at)
     select ${id}, account, 'api', 'req_' || i, 'text', 'test-model', $2, 1000000, 1, 1, sha256('x'), at, at + interval '1 hour', 'settled', 1, 1, 1, '{}', 5, at from (${made}) m`,
    [ids, accounts[0]?.priceVersionId],
  );
  await client.query(
    `insert into open_request (id, account_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount, request_sha256, created_at, deadline)
     select ${id}, $1, 'api', 'req_open_' || i, 'text', 'test-model', $2, 1000000, 1, 1, sha256('x'), at, at + interval '1 hour'
       from (select ${REQUESTS} + i as i, now() - interval '1 second' * i as at from generate_series(1, ${OPEN}) i) m`,
    [accountId, accounts[0]?.priceVersionId],
  );
  await client.query(
    `insert into channel_minute (channel_id, minute, succeeded, latencies)
     select 'ch_' || c, now() - interval '1 minute' * m, 1, array_fill(0, array[50]) from generate_series(1, 4) c, generate_series(1, 8 * 1440) m`,
  );
  await client.query("analyze");
}, 60_000);

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

const day = (ago: number) => dayFromNow(-ago);

/** How many rows of requests the plans read. */
const readBy = (plans: readonly string[]): number =>
  [...plans.join("\n").matchAll(/ on (?:open_)?request\w* .*rows=([\d.]+) loops=(\d+)/g)].reduce(
    (sum, [, rows, loops]) => sum + Number(rows) * Number(loops),
    0,
  );

test("a page reads its own requests and those that are open, not all of the account or the days", async () => {
  const range = { from: day(DAYS), to: day(0), zone: "UTC" };
  const [fromId, toId] = [firstOperationId(0), firstOperationId(Date.now() + 60_000)];
  const pages: ((over: pg.Pool) => Promise<unknown>)[] = [
    (over) => usagePage(over, accountId, range),
    (over) => history(over, accountId, { kind: "requests" }),
    (over) => requestLogPage(over, { fromId, toId }, { limit: 50 }),
    (over) => requestLogPage(over, { fromId, toId, status: "held" }, { limit: 50 }),
    (over) => usagePage(over, accountId, { ...range, status: "held" }),
    (over) => runningRequests(over, accountId),
  ];
  for (const page of pages) {
    const plans = await plansOf(page);
    expect(plans.join()).not.toMatch(/Seq Scan on request_earlier/);
    const read = readBy(plans);
    expect(read).toBeGreaterThanOrEqual(OPEN);
    expect(read).toBeLessThan(3 * (51 + OPEN));
  }
});

test("a chart of usage reads the requests of its account and range only", async () => {
  const range = { from: day(6), to: day(0), zone: "UTC" };
  const [plan = ""] = await plansOf((over) => usageChart(over, accountId, range, "model"));
  expect(plan).toContain("request_earlier_account");
  expect(plan).not.toMatch(/Seq Scan on request_earlier/);
});

test("the operators' trends of a day read the requests of that day only", async () => {
  const plans = await plansOf((over) => showTrends({ pool: over }, { range: "day" }));
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan).toMatch(/request_earlier_(pkey|account)/);
    expect(plan).not.toMatch(/Seq Scan on request_earlier/);
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
