/** What an account reads of a month whose requests are only in files. */
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { dropMonth } from "@/testing/ledger/drop-month";
import { seedHistory } from "@/testing/ledger/sealed-history";
import { connect } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { newId, newOperationId } from "../crypto/ids";
import { connectDatabase, type Database } from "../db/client";
import { openPool } from "../db/pool";
import { isRelayError } from "../failures/relay-error";
import {
  type ArchivedRequests,
  type Month,
  monthsToArchive,
} from "../ledger/archive/archive-register";
import { sealLedger } from "../ledger/audit/seal";
import type { BlobStore } from "../media/blob-store";
import { openFolderStore } from "../media/folder-store";
import { archivedDetail } from "../queries/request-detail";
import { listRequests, loggedRequest } from "../queries/requests";
import { showStatement, statementCsv } from "../queries/statement";
import {
  listUsage,
  showRequest,
  showUsageChart,
  showUsageSummary,
  usageCsv,
} from "../queries/usage";
import { pause } from "../timing/pause";
import { archiveMonth } from "./archive-month";
import { openArchivedRequests } from "./archived-requests";

let owner: pg.Client;
let pool: pg.Pool;
let month: Month;
const folder = newFolder("dropped-reads");
const accountId = "acct_history_1";
type Seen = Awaited<ReturnType<typeof everything>>;
let before: Seen;
let after: Seen;
let archive: ArchivedRequests;
let blobs: BlobStore;
let deps: { pool: pg.Pool; database: Database; archive: ArchivedRequests };
/** A charge of the month with a refund, by both of its ids, as its page showed it. */
let shown: Awaited<ReturnType<typeof showRequest>>;
let operationId: string;
let requestId: string;

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
    halfHours: await showUsageSummary({ pool }, { ...query, zone: "Asia/Kolkata", group: "model" }),
    chart: await showUsageChart({ pool }, { ...query, group: "model", times: "yes" }),
    csv: await textOf(usageCsv({ pool }, query)),
    statement: await showStatement({ pool }, query),
    statementCsv: await textOf(statementCsv({ pool }, query)),
  };
}

beforeAll(async () => {
  const url = await createTestDatabase();
  owner = await connect(url);
  pool = openPool(url, 4);
  blobs = await openFolderStore(folder);
  await seedHistory(owner, url, { requests: 3000, days: 190 });
  [month] = (await monthsToArchive(owner)).slice(1) as [Month];
  await nameRequest();
  await owner.query("select ledger_refund($1, 'half', 3, 'test', 'cli')", [operationId]);
  await sealLedger(owner);
  archive = openArchivedRequests(pool, blobs);
  deps = { pool, database: connectDatabase(url, 2), archive };
  before = await everything();
  shown = await showRequest(deps, { accountId, id: operationId });
  await archiveMonth(owner, blobs, month);
  expect((await everything()).list.archived).toEqual([]);
  await dropMonth(owner, month);
  after = await everything();
}, 180_000);
afterAll(async () => {
  await deps?.database.$disconnect();
  await pool?.end();
  await owner?.end();
});

/** Gives a charge of the month an id as answers have it. */
async function nameRequest(): Promise<void> {
  const { rows } = await owner.query<{ id: string; at: Date }>(
    `select id, created_at as at from request
      where id >= $1 and id < $2 and amount > 10 and account_id = $3 order by id limit 1 offset 5`,
    [month.starts, month.below, accountId],
  );
  operationId = rows[0]?.id ?? "";
  requestId = newId("request", rows[0]?.at.getTime());
  await owner.query("begin; set local session_replication_role = replica");
  await owner.query("update request set request_id = $1 where id = $2", [requestId, operationId]);
  await owner.query("commit");
}

const isOfMonth = (line: string) => line.startsWith(month.name);

test("the sums and the chart of a range with a dropped month are what they were", async () => {
  const { summary, chart } = after;
  expect(before.summary.total.settled).toBeGreaterThan(50);
  expect([summary, chart]).toEqual([before.summary, before.chart]);
});

test("in a zone of half hours, where a day cuts an hour, no request of the month is left out", async () => {
  const query = { ...range(), accountId, zone: "Asia/Kolkata" };
  for (const group of ["day", "model"] as const) {
    const { total, groups } = await showUsageSummary({ pool }, { ...query, group });
    expect(total).toEqual(before.halfHours.total);
    expect(groups.reduce((sum, each) => sum + each.settled, 0)).toBe(total.settled);
  }
});

test("the list of requests leaves out those of the month and names it", async () => {
  const { list } = after;
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
  const { csv } = after;
  const others = before.csv.filter((line) => !isOfMonth(line));
  expect(before.csv.length - others.length).toBeGreaterThan(10);
  expect(csv.slice(0, -1)).toEqual(others);
  expect(csv.at(-1)).toBe(
    `${month.name}-01T00:00:00.000Z,,,,,,,archived,The requests of ${month.name} are archived and not listed here; the sums contain them. The operator has them.,,,,,,,,,`,
  );
});

test("the statement adds up as before, and says why it does not count units", async () => {
  const { statement } = after;
  expect(before.statement.units?.length).toBeGreaterThan(0);
  expect(statement).toEqual({ ...before.statement, units: null, archived: [month.name] });
});

test("the CSV of the statement has the same lines of points, and a line in place of the units", async () => {
  const { statementCsv: lines } = after;
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

/** Waits out the rest after a file was read. */
const rested = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(async (error) => {
    if (!isRelayError(error) || error.code !== "service_busy") throw error;
    await pause(200);
    return rested(work);
  });

test("the page of a dropped request shows what it showed, by both of its ids", async () => {
  expect(shown).toMatchObject({ refunded: "0.000003", entry: { id: operationId } });
  for (const id of [operationId, requestId])
    expect(await rested(() => showRequest(deps, { accountId, id }))).toEqual(shown);
});

test("another account's request is not found, and its file is not read when that account had none then", async () => {
  let reads = 0;
  const counting = { find: () => Promise.reject(new Error(`read ${++reads}`)) };
  for (const id of [operationId, requestId]) {
    const other = { accountId: "acct_none", id };
    await expect(showRequest({ ...deps, archive: counting }, other)).rejects.toMatchObject({
      code: "not_found",
    });
    for (const stranger of ["acct_history_2", "acct_history_3"])
      await expect(
        rested(() => showRequest(deps, { accountId: stranger, id })),
      ).rejects.toMatchObject({ code: "not_found" });
  }
  expect(reads).toBe(0);
});

test("an account that had requests in the same hour does not see another's", async () => {
  const line = await rested(() => archive.find({ operation: operationId }, null));
  expect(await archivedDetail(pool, "acct_history_2", line ?? "")).toBeNull();
  expect(await archivedDetail(pool, accountId, line ?? "")).not.toBeNull();
});

test("an id that never was is not found, and neither is one of a month that was not dropped", async () => {
  const near = `${operationId.slice(0, 24)}000000000000`;
  for (const id of [near, newId("request", Date.parse(month.day) + 86_400_000 * 9), "x", "' or 1"])
    await expect(rested(() => showRequest(deps, { accountId, id }))).rejects.toMatchObject({
      code: "not_found",
    });
  expect(await archive.find({ operation: newOperationId() }, null)).toBeNull();
});

test("one file is read at a time, and who comes meanwhile is asked to come again", async () => {
  // Until the rest after the file that was read last is over.
  const outcomes = async () => {
    const both = await Promise.allSettled(
      ["a", "b"].map((each) => archive.find({ operation: operationId }, each)),
    );
    return both.map((each) => (each.status === "rejected" ? each.reason.code : "found")).sort();
  };
  await expect.poll(outcomes, { timeout: 20_000 }).toEqual(["found", "service_busy"]);
});

test("an account that asks again and again leaves most of the time to others", async () => {
  let isSlow = true;
  const slowOnce: BlobStore = {
    ...blobs,
    async read(...given) {
      if (isSlow) await pause(500);
      isSlow = false;
      return blobs.read(...given);
    },
  };
  const own = openArchivedRequests(pool, slowOnce);
  const name = { operation: operationId };
  expect(await own.find(name, "a")).not.toBeNull();
  const asked = () => own.find(name, "b").catch(({ code }: { code: string }) => code);
  await expect.poll(asked, { timeout: 20_000 }).toContain(operationId);
  await expect(own.find(name, "a")).rejects.toMatchObject({ code: "service_busy" });
});

test("the operators' list names the month where it leaves requests out", async () => {
  const list = (from: string, to: string) => listRequests(deps, { from, to });
  const end = `${range().to}T00:00:00Z`;
  const { requests, archived } = await list(`${month.day}T00:00:00+02:00`, end);
  expect([requests.length, archived]).toEqual([50, [month.name]]);
  expect(requests.some(({ entry }) => entry.at.startsWith(month.name))).toBe(false);
  const next = new Date(Date.parse(month.day) + 40 * 86_400_000).toISOString();
  expect((await list(next, end)).archived).toEqual([]);
});

test("operators see a dropped request with its account, and without its file it is not lost silently", async () => {
  for (const id of [operationId, requestId])
    expect(await rested(() => loggedRequest(deps, { id }))).toMatchObject({
      request: shown,
      account: { id: accountId },
      refunds: [{ points: "0.000003" }],
    });
  const [file = ""] = readdirSync(folder);
  renameSync(join(folder, file), join(folder, "aside"));
  const fault = () =>
    showRequest(deps, { accountId, id: operationId }).catch(({ code, internal }) => ({
      code,
      internal,
    }));
  await expect
    .poll(fault, { timeout: 20_000 })
    .toEqual({ code: "service_busy", internal: `${file} is missing` });
  renameSync(join(folder, "aside"), join(folder, file));
});
