import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { connect, openTestLedger, seedAccount } from "@/testing/ledger/test-ledger";
import type { Reader } from "../db/pool";
import type { OpenLedger } from "../ledger/ledger";
import { statementLines } from "./statement-lines";
import { openingBalance, statementSums } from "./statement-sums";

const DAYS = 40;
const MODELS = 5;
const FIRST = "2026-01-01";
const dayOf = (day: number) =>
  new Date(Date.parse(FIRST) + day * 86_400_000).toISOString().slice(0, 10);
const everything = { from: FIRST, to: dayOf(DAYS + 10) };

let client: pg.Client;
let ledger: OpenLedger;
let accountId: string;

/** Charges of five models each day, but of 20 models on one day, and credits on every third day. */
beforeAll(async () => {
  const url = await createTestDatabase();
  client = await connect(url);
  ledger = await openTestLedger(url);
  ({ accountId } = await seedAccount(client, ledger, 1n));
  await client.query(
    `insert into usage_day (account_id, api_key_id, model, day, requests, input_tokens, output_tokens, amount)
       select $1, 'key_' || (m % 3), 'model_' || m, $2::date + d, 1, 0, 0, d + m + 1
         from generate_series(0, $3::int - 1) d, generate_series(1, case when d = 7 then 20 else $4::int end) m`,
    [accountId, FIRST, DAYS, MODELS],
  );
  await client.query(
    `insert into ledger_entry (account_id, kind, ref, amount, reason, actor, created_at)
       select $1, case when d % 2 = 0 then 'grant' else 'adjust_down' end, 'ref_' || d, 1000 + d, 'test', 'cli', $2::date + d + interval '12 hours'
         from generate_series(0, $3::int - 1, 3) d`,
    [accountId, FIRST, DAYS],
  );
});
afterAll(async () => {
  await ledger?.close();
  await client?.end();
});

async function linesOf(reader: Reader, pageLines: number, days = everything) {
  const pages = [];
  for await (const page of statementLines(reader, accountId, days, pageLines)) pages.push(page);
  return pages;
}

const countRows = DAYS * MODELS + (20 - MODELS);
const countEntries = Math.ceil(DAYS / 3);

test("the lines are the same, and in the same order, however long a page is", async () => {
  const [whole = []] = await linesOf(client, 10_000);
  expect(whole).toHaveLength(countRows + countEntries);
  expect(whole.map(({ day }) => day)).toEqual(whole.map(({ day }) => day).sort());
  for (const pageLines of [1, 2, 3, 7, 19, 20, 21, 100]) {
    const pages = await linesOf(client, pageLines);
    expect(pages.flat()).toEqual(whole);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(pageLines);
  }
});

interface Plan {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Plan[];
}

const rowsOf = (plan: Plan, table: string): number =>
  (plan["Relation Name"] === table ? plan["Actual Rows"] * plan["Actual Loops"] : 0) +
  (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each, table), 0);

test("a page of a long statement reads its own days, not all that follow", async () => {
  let read = 0;
  const watching: Reader = {
    async query(text, values) {
      const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      for (const row of rows) read += rowsOf(row["QUERY PLAN"][0].Plan, "usage_day");
      return client.query(text, values);
    },
  };
  const pages = await linesOf(watching, 10);
  expect(pages.length).toBeGreaterThan(20);
  expect(read).toBeGreaterThan(countRows);
  // Each page reads the rest of its first day, and ten rows twice: for its last day, and to write them.
  expect(read).toBeLessThan(6 * countRows);
});

test("the opening balance of any day is that of the sums", async () => {
  for (const from of [FIRST, dayOf(1), dayOf(7), dayOf(8), dayOf(DAYS), dayOf(DAYS + 5)]) {
    const { opening } = await statementSums(client, accountId, { ...everything, from });
    expect(await openingBalance(client, accountId, from)).toBe(opening);
  }
  expect(await openingBalance(client, accountId, "2020-01-01")).toBe(0n);
  expect(await openingBalance(client, "acct_unknown", FIRST)).toBe(0n);
});
