import type { z } from "zod";
import { formatMultiplier } from "../accounts/multipliers";
import { USAGE_CSV_ROWS_MAX } from "../contract/limits";
import type { requestResponse, spendQuery, usageQuery, usageSummaryQuery } from "../contract/usage";
import { csvLine } from "../csv";
import { RelayError } from "../errors";
import { SiteFile } from "../http/site-file";
import { isIdOf, timeOfId } from "../ids";
import type { HistoryLine } from "../ledger/history";
import { spendBy } from "../ledger/spend";
import {
  countUsage,
  operationOfRequest,
  type RequestDetail,
  requestDetail,
  runningRequests,
  type UsageSum,
  usagePage,
  usageSummary,
} from "../ledger/usage-log";
import { formatPoints } from "../points";
import type { Call } from "./call";
import { entryView } from "./entries";
import type { SiteParts } from "./site-parts";

type UsageQuery = z.output<typeof usageQuery>;

export async function listUsage({ parts, query, user }: Call<unknown, UsageQuery>) {
  const { lines, nextCursor } = await usagePage(parts.pool, user().accountId, query, query);
  return { requests: lines.map(entryView), nextCursor };
}

const sumView = <Sum extends UsageSum>(sum: Sum) => ({ ...sum, charged: formatPoints(sum.charged), held: formatPoints(sum.held) });

export async function showUsageSummary({ parts, query, user }: Call<unknown, z.output<typeof usageSummaryQuery>>) {
  const { total, groups } = await usageSummary(parts.pool, user().accountId, query, query.group);
  return { total: sumView(total), groups: groups.map(sumView) };
}

export async function listRunning({ parts, user }: Call) {
  return { requests: (await runningRequests(parts.pool, user().accountId)).map(entryView) };
}

/** The operation of a video task; null for one that is not there or another account's. */
async function operationOfTask({ database }: SiteParts, accountId: string, id: string): Promise<string | null> {
  const task = await database.videoTask.findFirst({ where: { id, accountId }, select: { operationId: true } });
  return task?.operationId ?? null;
}

/** The operation that an id names: its own, its request's, or its video task's; null when there is none. */
export async function operationOf(parts: SiteParts, accountId: string, id: string): Promise<string | null> {
  if (isIdOf("task", id)) return operationOfTask(parts, accountId, id);
  const madeAt = timeOfId("request", id);
  return madeAt === null ? id : operationOfRequest(parts.pool, accountId, id, new Date(madeAt));
}

async function detailOf(parts: SiteParts, accountId: string, id: string) {
  const operationId = await operationOf(parts, accountId, id);
  return operationId === null ? null : requestDetail(parts.pool, accountId, operationId);
}

/** A request as its details show it. */
export function requestView(detail: RequestDetail): z.input<typeof requestResponse> {
  const { line, apiKeyId, keyHint, multiplierPpm, inputPrice, outputPrice, refunded, ...how } = detail;
  return {
    ...how,
    entry: entryView(line),
    key: apiKeyId === null ? null : { id: apiKeyId, hint: keyHint },
    multiplier: formatMultiplier(multiplierPpm),
    refunded: formatPoints(refunded),
    price: { input: formatPoints(inputPrice), output: formatPoints(outputPrice) },
    endedAt: line.request?.endedAt?.toISOString() ?? null,
  };
}

/** By the ledger's id, the one its answer carried, or its video task's. Throws `not_found` for what is not there or another account's. */
export async function showRequest({ parts, user, id }: Call) {
  const detail = await detailOf(parts, user().accountId, id);
  if (detail === null) throw new RelayError("not_found");
  return requestView(detail);
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
];

function csvRecord({ id, at, reason, request }: HistoryLine): string {
  if (request === null) throw new Error("only requests are in the usage");
  return csvLine([
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
  ]);
}

/** Exactly the filtered requests. Throws `range_too_large` instead of leaving some out. */
export async function downloadUsage({ parts, query, user }: Call<unknown, UsageQuery>) {
  const { accountId } = user();
  if ((await countUsage(parts.pool, accountId, query, USAGE_CSV_ROWS_MAX + 1)) > USAGE_CSV_ROWS_MAX)
    throw new RelayError("range_too_large");
  async function* lines() {
    yield csvLine(csvHead);
    let cursor: string | null = null;
    do {
      const page = await usagePage(parts.pool, accountId, query, { cursor: cursor ?? undefined, limit: CSV_PAGE });
      yield page.lines.map(csvRecord).join("");
      cursor = page.nextCursor;
    } while (cursor !== null);
  }
  return new SiteFile(`relay-usage-${query.from}-${query.to}.csv`, lines());
}

/** What was charged in the last days, for charts. */
export async function showSpend({ parts, query, user }: Call<unknown, z.output<typeof spendQuery>>) {
  const groups = await spendBy(parts.pool, user().accountId, query.group, query.days);
  return {
    today: new Date().toISOString().slice(0, 10),
    groups: groups.map((group) => ({ ...group, amount: formatPoints(group.amount) })),
  };
}
