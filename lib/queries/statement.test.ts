import { beforeAll, expect, test } from "vitest";
import { openLedgerDatabase, seedAccount } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import type { Reader } from "../db/pool";
import { statementLines } from "./statement-lines";
import { openingBalance, statementSums } from "./statement-sums";

const DAYS = 40;
const MODELS = 5;
const FIRST = "2026-01-01";
const dayOf = (day: number) =>
  new Date(Date.parse(FIRST) + day * 86_400_000).toISOString().slice(0, 10);
const everything = { from: FIRST, to: dayOf(DAYS + 10) };

/** Charges of five models each day, but of 20 models on one day, and credits on every third day. */
const { client, ledger } = await opened(openLedgerDatabase());
const { accountId } = await seedAccount(client, ledger, 1n);
beforeAll(async () => {
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

/** What a reader has of the statement: its lines in pages, its sums, and those of a part of it. */
async function statementOf(pageLines: number) {
  const part = { from: dayOf(5), to: dayOf(20) };
  return {
    lines: (await linesOf(client, pageLines)).flat(),
    sums: await statementSums(client, accountId, everything),
    part: await statementSums(client, accountId, part),
    opening: await openingBalance(client, accountId, part.from),
  };
}

test("charges that wait for the sums are in the lines of their day as when they are counted", async () => {
  const counted = await statementOf(1000);
  await client.query("begin");
  // Of each day twice, of a model with a line and of one without.
  await client.query(
    `with made as (
       select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(m * 1000 + i), 15, '0'))::uuid as id, at, m
         from generate_series(0, ${2 * DAYS - 1}) i, (values (1), (99)) models (m), lateral (select $2::date + i / 2 + interval '8 hours' as at) t
     ), ended as (
       insert into request (id, account_id, api_key_id, source, request_id, family, model, price_version_id, multiplier_ppm, quote_amount, hold_amount,
                            request_sha256, created_at, deadline, outcome, amount, input_tokens, output_tokens, usage, ended_at)
       select id, $1, 'key_' || m, 'api', 'req_' || id, 'text', 'model_' || m, 1, 1000000, 1000, 1000,
              sha256(''), at, at + interval '1 hour', 'settled', 100 + m, 1, 1, '{}', at from made returning id, account_id)
     insert into usage_waiting (operation_id, account_id) select id, account_id from ended`,
    [accountId, FIRST],
  );
  const waiting = await Promise.all([3, 7, 20, 1000].map(statementOf));
  await client.query("select usage_count_waiting(1000)");
  const then = await statementOf(1000);
  await client.query("rollback");
  expect(then.lines).toHaveLength(counted.lines.length + DAYS);
  expect(then.sums.lineCount).toBe(then.lines.length);
  expect(then.sums.charges - counted.sums.charges).toBe(BigInt(2 * DAYS * (101 + 199)));
  for (const each of waiting) expect(each).toEqual(then);
});
