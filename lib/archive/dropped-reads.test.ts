/** What an account reads of a month whose requests are only in files. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { dropMonth } from "@/testing/ledger/drop-month";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { openPool } from "../db/pool";
import { type Month, monthsToArchive } from "../ledger/archive-book";
import { sealLedger } from "../ledger/seal";
import { openFolderStore } from "../media/folder-store";
import { showStatement, statementCsv } from "../queries/statement";
import { listUsage, showUsageChart, showUsageSummary, usageCsv } from "../queries/usage";
import { archiveMonth } from "./archive-month";

let owner: pg.Client;
let pool: pg.Pool;
let month: Month;
const folder = mkdtempSync(join(tmpdir(), "relay-dropped-reads-"));
const accountId = "acct_history_1";
type Seen = Awaited<ReturnType<typeof everything>>;
let before: Seen;

/** The month and the days around it, so that one page has no room for all of its requests. */
const range = () => {
  const [from, to] = [-20, 50].map((days) =>
    new Date(Date.parse(month.day) + days * 86_400_000).toISOString().slice(0, 10),
  );
  return { from: from ?? "", to: to ?? "" };
};
const textOf = async (lines: Promise<AsyncGenerator<string>>) => {
  let text = "";
  for await (const part of await lines) text += part;
  return text.trimEnd().split("\r\n");
};

async function everything() {
  const query = { ...range(), accountId, zone: "UTC" };
  return {
    list: await listUsage({ pool }, query),
    summary: await showUsageSummary({ pool }, { ...query, group: "day" }),
    chart: await showUsageChart({ pool }, { ...query, group: "model" }),
    csv: await textOf(usageCsv({ pool }, query)),
    statement: await showStatement({ pool }, query),
    statementCsv: await textOf(statementCsv({ pool }, query)),
  };
}

beforeAll(async () => {
  const url = await createTestDatabase();
  owner = await connect(url);
  pool = openPool(url, 4);
  const blobs = await openFolderStore(folder);
  await seedHistory(owner, url, { requests: 3000, days: 190 });
  await sealLedger(owner);
  month = (await monthsToArchive(owner))[1] as Month;
  before = await everything();
  await archiveMonth(owner, blobs, month);
  expect((await everything()).list.archived).toEqual([]);
  await dropMonth(owner, month);
}, 180_000);
afterAll(async () => {
  await pool?.end();
  await owner?.end();
  rmSync(folder, { recursive: true });
});

const isOfMonth = (line: string) => line.startsWith(month.name);

test("the sums and the chart of a range with a dropped month are what they were", async () => {
  const { summary, chart } = await everything();
  expect(before.summary.total.settled).toBeGreaterThan(50);
  expect([summary, chart]).toEqual([before.summary, before.chart]);
});

test("the list of requests leaves out those of the month and names it", async () => {
  const { list } = await everything();
  expect(before.list.archived).toEqual([]);
  expect(list.archived).toEqual([month.name]);
  expect(list.requests.length).toBeGreaterThan(0);
  expect(list.requests.filter(({ at }) => at.startsWith(month.name))).toEqual([]);
  const query = { ...range(), accountId, zone: "UTC" };
  const later = await listUsage({ pool }, { ...query, from: `${month.name}-28`, to: range().to });
  expect(later.archived).toEqual([month.name]);
  const next = new Date(Date.parse(month.day) + 40 * 86_400_000).toISOString().slice(0, 10);
  expect((await listUsage({ pool }, { ...query, from: next })).archived).toEqual([]);
});

test("the CSV of the usage has every other request, and a line that says what is archived", async () => {
  const { csv } = await everything();
  const others = before.csv.filter((line) => !isOfMonth(line));
  expect(before.csv.length - others.length).toBeGreaterThan(10);
  expect(csv.slice(0, -1)).toEqual(others);
  expect(csv.at(-1)).toBe(
    `${month.name}-01T00:00:00.000Z,,,,,,,archived,The requests of ${month.name} are archived and not listed here; the sums contain them. The operator has them.,,,,,,,,`,
  );
});

test("the statement adds up as before, and says why it does not count units", async () => {
  const { statement } = await everything();
  expect(before.statement.units?.length).toBeGreaterThan(0);
  expect(statement).toEqual({ ...before.statement, units: null, archived: [month.name] });
});

test("the CSV of the statement has the same lines of points, and a line in place of the units", async () => {
  const { statementCsv: lines } = await everything();
  const points = (all: readonly string[]) =>
    all.filter((line) => !/^[^,]*,(counted|archived),/.test(line));
  expect(points(lines)).toEqual(points(before.statementCsv));
  expect(lines.filter((line) => line.includes(",archived,"))).toEqual([
    expect.stringMatching(
      `^${range().to},archived,,,,The requests of ${month.name} are archived: .*,,,,[\\d.]+$`,
    ),
  ]);
  expect(lines.some((line) => line.includes(",counted,"))).toBe(false);
});

test("another account sees that the month is archived, and nothing else of it", async () => {
  const query = { ...range(), accountId: "acct_none", zone: "UTC" };
  const { requests, archived } = await listUsage({ pool }, query);
  expect([requests, archived]).toEqual([[], [month.name]]);
});
