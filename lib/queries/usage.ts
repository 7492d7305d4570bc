import type { z } from "zod";
import { formatMultiplier } from "../accounts/multipliers";
import { tagText } from "../contract/tags";
import type { requestResponse, spendQuery, usageQuery, usageSummaryQuery } from "../contract/usage";
import type { usageChartQuery } from "../contract/usage-chart";
import { isIdOf, timeOfId } from "../crypto/ids";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { droppedMonths } from "../ledger/archive/dropped-months";
import { formatPoints } from "../money/points";
import { linesText } from "../pricing/rate-text";
import { type CsvField, csvLine, csvLines } from "../values/csv";
import { archivedLine } from "./archived";
import { type AttemptLine, attemptsOf } from "./attempts";
import { entryView } from "./entries";
import type { HistoryLine } from "./history";
import type { QueryDeps } from "./query-deps";
import {
  archivedDetail,
  operationOfRequest,
  type RequestDetail,
  requestDetail,
} from "./request-detail";
import { type OperationTrail, operationTrail } from "./request-log";
import { spendBy } from "./spend";
import { type ChartSums, usageChart } from "./usage-chart";
import { runningRequests, usagePage } from "./usage-log";
import { type UsageSum, usageSummary } from "./usage-summary";

type Deps = Pick<QueryDeps, "pool">;

interface OfAccount {
  readonly accountId: string;
}

type UsageQuery = z.output<typeof usageQuery> & OfAccount;

/** The account's requests by the time they were made, newest first. */
export async function listUsage({ pool }: Deps, { accountId, ...query }: UsageQuery) {
  const { lines, nextCursor } = await usagePage(pool, accountId, query, query);
  const archived = await droppedMonths(pool, query);
  return { requests: lines.map(entryView), nextCursor, archived };
}

const sumView = <Sum extends UsageSum>(sum: Sum) => ({
  ...sum,
  charged: formatPoints(sum.charged),
  held: formatPoints(sum.held),
});

export async function showUsageSummary(
  { pool }: Deps,
  { accountId, ...query }: z.output<typeof usageSummaryQuery> & OfAccount,
) {
  const { total, groups } = await usageSummary(pool, accountId, query, query.group, query.groupTag);
  return { total: sumView(total), groups: groups.map(sumView) };
}

const chartSumsView = <Sums extends ChartSums>(sums: Sums) => ({
  ...sums,
  charged: formatPoints(sums.charged),
});

export async function showUsageChart(
  { pool }: Deps,
  { accountId, ...query }: z.output<typeof usageChartQuery> & OfAccount,
) {
  const series = await usageChart(pool, accountId, query, query.group, {
    times: query.times,
    thenBy: query.thenBy,
    tag: query.groupTag,
  });
  return {
    series: series.map(({ days, ...each }) => ({
      ...chartSumsView(each),
      days: days.map(chartSumsView),
    })),
  };
}

export async function listRunning({ pool }: Deps, { accountId }: OfAccount) {
  return { requests: (await runningRequests(pool, accountId)).map(entryView) };
}

/** The operation of a video task; null when there is none, also for another account's. */
async function operationOfTask(
  { database }: Pick<QueryDeps, "database">,
  accountId: string,
  id: string,
): Promise<string | null> {
  const task = await database.videoTask.findFirst({
    where: { id, accountId },
    select: { operationId: true },
  });
  return task?.operationId ?? null;
}

/**
 * The operation for an id: its own, its request's, or its video task's. Null when there is none.
 */
export async function operationOf(
  deps: Pick<QueryDeps, "pool" | "database">,
  accountId: string,
  id: string,
): Promise<string | null> {
  if (isIdOf("task", id)) return operationOfTask(deps, accountId, id);
  const madeAt = timeOfId("request", id);
  return madeAt === null ? id : operationOfRequest(deps.pool, accountId, id, new Date(madeAt));
}

/** The same of a request that the account has. Throws `not_found`, also for another account's. */
export async function ownOperation(
  deps: Pick<QueryDeps, "pool" | "database">,
  accountId: string,
  id: string,
): Promise<string> {
  const operationId = await operationOf(deps, accountId, id);
  if (!operationId || (await requestDetail(deps.pool, accountId, operationId)) === null)
    throw new RelayError("not_found");
  return operationId;
}

const iso = (moment: Date | null) => moment?.toISOString() ?? null;

/** A refund as pages show it, without who gave it. */
const refundView = ({ id, amount, reason, at }: OperationTrail["refunds"][number]) => ({
  id,
  reason,
  points: formatPoints(amount),
  at: at.toISOString(),
});

/** What happened to a request besides its own row. */
export interface RequestCourse {
  readonly attempts: readonly AttemptLine[];
  readonly trail: OperationTrail;
}

export async function courseOf(pool: Reader, operationId: string): Promise<RequestCourse> {
  const [attempts, trail] = await Promise.all([
    attemptsOf(pool, operationId),
    operationTrail(pool, operationId),
  ]);
  return { attempts, trail };
}

export function requestView(
  detail: RequestDetail,
  { attempts, trail }: RequestCourse,
): z.input<typeof requestResponse> {
  const { line, apiKeyId, keyHint, multiplierPpm, price, usage, refunded, stages, ...how } = detail;
  const family = line.request?.family ?? "text";
  return {
    ...how,
    lines: usage === null ? [] : linesText(family, usage, price),
    entry: entryView(line),
    key: apiKeyId === null ? null : { id: apiKeyId, hint: keyHint },
    multiplier: formatMultiplier(multiplierPpm),
    attempts: attempts.map(({ id, code, tookMs, endedAt }) => ({
      id,
      code,
      tookMs,
      endedAt: endedAt.toISOString(),
    })),
    stages: stages && {
      submitted: iso(stages.submitted),
      running: iso(stages.running),
      stored: iso(stages.stored),
    },
    refunded: formatPoints(refunded),
    refunds: trail.refunds.map(refundView),
    price: { input: formatPoints(price.input), output: formatPoints(price.output) },
    endedAt: iso(line.request?.endedAt ?? null),
  };
}

/**
 * One request by its ledger id, by the id in its answer, or by its video task's id. Rejects with
 * `not_found`, also for another account's request.
 */
export async function showRequest(
  deps: Pick<QueryDeps, "pool" | "database" | "archive">,
  { accountId, id }: OfAccount & { readonly id: string },
) {
  const operationId = await operationOf(deps, accountId, id);
  const detail =
    operationId === null ? null : await requestDetail(deps.pool, accountId, operationId);
  if (detail !== null) return requestView(detail, await courseOf(deps.pool, detail.line.id));
  const line = await archivedLine(deps, operationId ?? id, accountId);
  const archived = line === null ? null : await archivedDetail(deps.pool, accountId, line);
  if (archived === null) throw new RelayError("not_found");
  return requestView(archived, await courseOf(deps.pool, archived.line.id));
}

const CSV_PAGE = 1000;

const csvHead = [
  "time",
  "request_id",
  "operation_id",
  "key",
  "source",
  "model",
  "family",
  "status",
  "reason",
  "input_tokens",
  "output_tokens",
  "quoted_points",
  "held_points",
  "charged_points",
  "ended",
  "duration_ms",
  "dialect",
  "tags",
];

function csvRecord({ id, at, reason, request }: HistoryLine): CsvField[] {
  if (request === null) throw new Error("only requests are in the usage");
  return [
    at.toISOString(),
    request.requestId,
    id,
    request.keyName,
    request.source,
    request.model,
    request.family,
    request.state === "held" ? "running" : request.state,
    reason,
    request.inputTokens,
    request.outputTokens,
    formatPoints(request.quoted),
    formatPoints(request.held),
    formatPoints(request.settled ?? 0n),
    request.endedAt?.toISOString() ?? null,
    request.durationMs,
    request.dialect,
    request.tags === null ? null : tagText(request.tags),
  ];
}

/** A line in place of the requests of a month that are only in the operator's archives. */
function archivedRecord(month: string): CsvField[] {
  const text = `The requests of ${month} are archived and not listed here; the sums contain them. The operator has them.`;
  const record: CsvField[] = csvHead.map(() => null);
  record[csvHead.indexOf("time")] = `${month}-01T00:00:00.000Z`;
  record[csvHead.indexOf("status")] = "archived";
  record[csvHead.indexOf("reason")] = text;
  return record;
}

/**
 * The requests of a filter as CSV, exactly those that the filter matches, however many, and a line
 * for each month that is archived. Each page is a query of its own, when the reader has taken the one
 * before.
 */
export async function usageCsv(
  { pool }: Deps,
  { accountId, ...query }: UsageQuery,
): Promise<AsyncGenerator<string>> {
  const pageAt = (cursor?: string) =>
    usagePage(pool, accountId, query, { cursor, limit: CSV_PAGE });
  const first = await pageAt();
  async function* lines() {
    yield csvLine(csvHead) + csvLines(first.lines.map(csvRecord));
    for (let { nextCursor } = first; nextCursor !== null; ) {
      const page = await pageAt(nextCursor);
      yield csvLines(page.lines.map(csvRecord));
      nextCursor = page.nextCursor;
    }
    const archived = await droppedMonths(pool, query);
    yield csvLines(archived.reverse().map(archivedRecord));
  }
  return lines();
}

/** The charges of the last days, for charts. */
export async function showSpend(
  { pool }: Deps,
  { accountId, group, days }: z.output<typeof spendQuery> & OfAccount,
) {
  const groups = await spendBy(pool, accountId, group, days);
  return {
    today: new Date().toISOString().slice(0, 10),
    groups: groups.map((each) => ({ ...each, amount: formatPoints(each.amount) })),
  };
}
