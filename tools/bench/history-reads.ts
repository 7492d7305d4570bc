/** The reads of the pages that `npm run bench:history` measures, for the account with most requests. */
import type pg from "pg";
import type { ChartTimes } from "@/lib/contract/states";
import { readModelFigures, lastDays as statusDays } from "@/lib/queries/model-figures";
import { chargesByDayAndModel, outstandingByDay } from "@/lib/queries/money-days";
import { chargesByChannel } from "@/lib/queries/money-sums";
import { requestLogPage } from "@/lib/queries/request-log";
import { statementCsv } from "@/lib/queries/statement";
import { madeHours } from "@/lib/queries/total-facts";
import { usageCsv } from "@/lib/queries/usage";
import { usageChart } from "@/lib/queries/usage-chart";
import type { UsageFilter } from "@/lib/queries/usage-filter";
import { usagePage } from "@/lib/queries/usage-log";
import { usageSummary } from "@/lib/queries/usage-summary";

const DAY_MS = 86_400_000;
const accountId = "acct_history_1";
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const midnight = (days: number) => new Date(Date.parse(dayAgo(days - 1)));
const lastDays = (days: number, zone = "UTC"): UsageFilter => ({
  from: dayAgo(days - 1),
  to: dayAgo(0),
  zone,
});
const year = lastDays(365);
const everything = {
  fromId: "00000000-0000-7000-8000-000000000000",
  toId: "ffffffff-0000-7000-8000-000000000000",
};

/** The model that is asked for least. */
async function rareModel(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ model: string }>(
    "select model from usage_total_day group by 1 order by sum(settled) limit 1",
  );
  return rows[0]?.model ?? "";
}

/** The start of a file, until its first bytes. */
async function firstBytes(file: Promise<AsyncGenerator<string>>): Promise<void> {
  const lines = await file;
  await lines.next();
  await lines.return(undefined);
}

async function wholeFile(file: Promise<AsyncGenerator<string>>): Promise<void> {
  for await (const _ of await file);
}

async function money(pool: pg.Pool): Promise<void> {
  const from = midnight(365);
  await Promise.all([
    chargesByDayAndModel(pool, from),
    outstandingByDay(pool, from),
    chargesByChannel(pool, from),
  ]);
}

export async function historyReads(pool: pg.Pool): Promise<[string, () => Promise<unknown>][]> {
  const chart = (days: number, times: ChartTimes, zone?: string) => () =>
    usageChart(pool, accountId, lastDays(days, zone), "model", { times });
  const summary = (days: number, zone?: string) => () =>
    usageSummary(pool, accountId, lastDays(days, zone), "day");
  const log = (filter: Partial<UsageFilter>) => () =>
    usagePage(pool, accountId, { ...year, ...filter });
  const model = await rareModel(pool);
  const usageFile = () => usageCsv({ pool }, { accountId, ...year });
  const statementFile = () => statementCsv({ pool }, { accountId, from: year.from, to: year.to });
  return [
    ["usage summary, 30 days", summary(30)],
    ["usage summary, 90 days", summary(90)],
    ["usage summary, 365 days", summary(365)],
    ["usage summary, 365 days, India's days", summary(365, "Asia/Kolkata")],
    ["usage summary, 365 days, Nepal's days", summary(365, "Asia/Kathmandu")],
    ["usage summary, 365 days, Adelaide's days", summary(365, "Australia/Adelaide")],
    ["usage chart, 30 days", chart(30, "no")],
    ["usage chart, 30 days, median times", chart(30, "yes")],
    ["usage chart, 365 days", chart(365, "no")],
    ["usage chart, 365 days, median times", chart(365, "yes")],
    ["usage chart, 365 days, one of the times", chart(365, "latency")],
    ["usage chart, 365 days, times, Nepal's days", chart(365, "yes", "Asia/Kathmandu")],
    ["request log, 365 days", log({})],
    ["request log, 365 days, a rare model", log({ model })],
    ["request log, 365 days, a rare key", log({ key: `key_${accountId}_3` })],
    ["request log, 365 days, released", log({ status: "released" })],
    ["request log, 365 days, held", log({ status: "held" })],
    [
      "operators' log, held",
      () => requestLogPage(pool, { ...everything, status: "held" }, { limit: 50 }),
    ],
    ["usage CSV of a year, first byte", () => firstBytes(usageFile())],
    ["usage CSV of a year, whole", () => wholeFile(usageFile())],
    ["statement CSV of a year, first byte", () => firstBytes(statementFile())],
    ["statement CSV of a year, whole", () => wholeFile(statementFile())],
    ["operators: money, 365 days", () => money(pool)],
    ["operators: charges of 30 days, for prices", () => chargesByDayAndModel(pool, midnight(30))],
    ["everyone: status, 90 days", () => readModelFigures(pool, statusDays)],
    [
      "operators: overview, the last 24 hours",
      () =>
        pool.query(`with ${madeHours} select sum(settled), sum(released), sum(amount) from hours`, [
          new Date(Date.now() - DAY_MS),
        ]),
    ],
  ];
}
