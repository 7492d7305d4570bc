/** The migration to lists of rates: old prices, charges and statements stay as they were. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseBefore } from "@/testing/db/database-before";
import { auditLedger } from "../ledger/audit";
import { readPriceVersions } from "../price-book/price-schedule";
import { addPriceVersion } from "../price-book/set-price";
import { priceOfRates } from "../pricing/rate";
import { requestDetail } from "../queries/request-detail";
import { statementLines } from "../queries/statement-lines";
import { statementSums } from "../queries/statement-sums";

const name = "20261123001200_price_rates";
const model = "RelayV1";
let pool: pg.Pool;
let client: pg.PoolClient;
let earlier: Awaited<ReturnType<typeof databaseBefore>>;

beforeAll(async () => {
  earlier = await databaseBefore(name);
  pool = new pg.Pool({ connectionString: earlier.url });
  client = await pool.connect();
});
afterAll(async () => {
  client.release();
  await pool.end();
});

const idOf = (last: number) => `00000000-0000-7000-8000-00000000000${last}`;
const apply = (ends: object[] | null, holds: object[] | null) =>
  pool.query("select ledger_apply('node_one', array['acct_old'], $1, $2)", [
    ends && JSON.stringify(ends),
    holds && JSON.stringify(holds),
  ]);

/** A request as a process of the previous release charges it: 7 tokens in at 3, 5 out at 11. */
async function charge(last: number, price: string): Promise<void> {
  const id = idOf(last);
  const sold = { family: "text", model, price, ppm: 1_000_000, source: "api", request: "req_a" };
  const terms = { quote: 90, amount: 90, least: 90, sha: "00".repeat(32), seconds: 60 };
  await apply(null, [{ i: 0, id, account: "acct_old", ...sold, ...terms }]);
  const usage = { amount: 7 * 3 + 5 * 11, input: 7, output: 5, usage: { prompt_tokens: 7 } };
  const how = { stream: false, abandoned: false, duration: 1 };
  await apply([{ i: 0, id, account: "acct_old", settled: true, ...usage, ...how }], null);
}

const oldPrice = async () => {
  const text =
    "insert into price_version (model, input_price, output_price, created_by) values ($1, 3000000, 11000000, 'cli') returning id";
  return (await pool.query<{ id: string }>(text, [model])).rows[0]?.id ?? "";
};
const day = new Date().toISOString().slice(0, 10);
async function statement() {
  const days = { from: day, to: day };
  const pages = [];
  for await (const lines of statementLines(pool, "acct_old", days)) pages.push(lines);
  return { pages, sums: await statementSums(pool, "acct_old", days) };
}
const broken = async () => (await auditLedger(client)).checks.filter(({ ok }) => !ok);

test("earlier charges read the same after the migration, after a price change, and beside an older process", async () => {
  await pool.query("insert into account (id) values ('acct_old')");
  await pool.query("select ledger_open_wallet('acct_old')");
  await pool.query("select ledger_credit('acct_old', 'grant', 'w', 1000, 'Welcome', 'system')");
  await pool.query(
    "insert into node (id, store_id, lease_until) values ('node_one', 's', now() + interval '1 hour')",
  );
  await charge(1, await oldPrice());
  const before = await statement();

  await earlier.migrate("all");
  expect(await statement()).toEqual(before);
  expect(await broken()).toEqual([]);
  const price = { input: 3_000_000n, output: 11_000_000n };
  const { versions } = await readPriceVersions(pool, { model });
  expect(versions.map((version) => version.price)).toEqual([price]);

  const rates = priceOfRates([
    { unit: "input_token", amount: 9_000_000n },
    { unit: "output_token", amount: 9_000_000n },
    { unit: "request", amount: 9n },
  ]);
  await addPriceVersion(pool, { model, price: rates, effectiveAt: null, createdBy: "cli" });
  expect(await statement()).toEqual(before);
  expect(await broken()).toEqual([]);
  expect(await requestDetail(pool, "acct_old", idOf(1))).toMatchObject({
    price,
    usage: { inputTokens: 7, outputTokens: 5, requests: 0 },
    line: { amount: -76n },
  });

  // A process of the previous release still adds prices and charges by them.
  await charge(2, await oldPrice());
  expect(await broken()).toEqual([]);
});
