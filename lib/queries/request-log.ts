/**
 * The requests of all accounts, for operators: pages by time, and the points of a single request.
 * Read-only.
 */

import type { Dialect, HoldState } from "../contract/states";
import { isOperationId } from "../crypto/ids";
import { rangeFailure } from "../db/database-errors";
import { onlyRow } from "../db/only-row";
import type { Reader } from "../db/pool";
import { invalidValue } from "../failures/relay-error";
import type { Micropoints } from "../money/points";
import { asArchived } from "./archived";
import {
  type HistoryLine,
  knownRequests,
  type RequestRow,
  requestColumns,
  requestLine,
} from "./history";

export interface RequestLogFilter {
  /** Operations from the first id on and below the second; ids sort by time. */
  readonly fromId: string;
  readonly toId: string;
  readonly model?: string | undefined;
  readonly status?: HoldState | undefined;
  readonly accountId?: string | undefined;
  readonly channelId?: string | undefined;
  readonly dialect?: Dialect | undefined;
}

export interface LoggedLine {
  readonly line: HistoryLine;
  readonly accountId: string;
  readonly channelId: string | null;
}

interface LogRow extends RequestRow {
  account_id: string;
  channel_id: string | null;
}

/** Few, whatever else there is. */
const openRequests = `open_request q join (${knownRequests}) on r.id = q.id`;
const columns = `r.account_id, r.channel_id, ${requestColumns()}`;
const statusSql = {
  held: "r.outcome is null",
  settled: "r.outcome = 'settled'",
  released: "r.outcome = 'released'",
};

/**
 * One page, newest first. Throws `invalid_value` for a cursor that is not ours, `range_too_large`
 * when too much had to be read.
 */
export async function requestLogPage(
  pool: Reader,
  filter: RequestLogFilter,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ lines: LoggedLine[]; nextCursor: string | null }> {
  if (cursor !== undefined && !isOperationId(cursor)) {
    throw invalidValue("cursor", "The cursor is invalid. Send one from a previous answer.");
  }
  const values: unknown[] = [filter.fromId, cursor ?? filter.toId];
  const parts = ["r.id >= $1", "r.id < $2"];
  if (filter.model !== undefined) parts.push(`r.model = $${values.push(filter.model)}`);
  if (filter.accountId !== undefined)
    parts.push(`r.account_id = $${values.push(filter.accountId)}`);
  if (filter.channelId !== undefined)
    parts.push(`r.channel_id = $${values.push(filter.channelId)}`);
  if (filter.dialect !== undefined) parts.push(`r.dialect = $${values.push(filter.dialect)}`);
  if (filter.status !== undefined) parts.push(statusSql[filter.status]);
  const { rows } = await pool
    .query<LogRow>(
      `select ${columns} from ${filter.status === "held" ? openRequests : knownRequests}
        where ${parts.join(" and ")} order by r.id desc limit $${values.push(limit + 1)}`,
      values,
    )
    .catch((error: unknown) => Promise.reject(rangeFailure(error)));
  const page = rows.slice(0, limit);
  return {
    lines: page.map((row) => ({
      line: requestLine(row),
      accountId: row.account_id,
      channelId: row.channel_id,
    })),
    nextCursor: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}

export interface OperationFacts {
  readonly operationId: string;
  readonly accountId: string;
  readonly channelId: string | null;
  readonly upstreamRef: string | null;
  readonly taskId: string | null;
  readonly polls: { readonly count: number; readonly failures: number } | null;
  readonly nodeId: string | null;
  readonly deadline: Date;
}

/** `operation`: between two ids, by the id in the request's answer. */
export type OperationName =
  | { readonly operation: string }
  | { readonly task: string }
  | { readonly request: string; between: [string, string] };

function whereOf(name: OperationName): { sql: string; values: unknown[] } {
  if ("operation" in name) return { sql: "r.id = $1", values: [name.operation] };
  if ("task" in name) return { sql: "t.id = $1", values: [name.task] };
  return {
    sql: "r.id between $2 and $3 and r.request_id = $1",
    values: [name.request, ...name.between],
  };
}

const factsTables = "request_known r left join video_task t on t.operation_id = r.id";
const factsQuery = (tables: string) =>
  `select r.id as "operationId", r.account_id as "accountId", coalesce(r.channel_id, t.channel_id) as "channelId",
          coalesce(r.upstream_ref, t.upstream_ref) as "upstreamRef", t.id as "taskId",
          case when t.id is not null then jsonb_build_object('count', t.polls, 'failures', t.poll_failures) end as polls, r.node_id as "nodeId", r.deadline
     from ${tables}`;

/** The account and the channel of a request; null when there is no such request. */
export async function findOperation(
  pool: Reader,
  name: OperationName,
): Promise<OperationFacts | null> {
  if ("operation" in name && !isOperationId(name.operation)) return null;
  const { sql, values } = whereOf(name);
  const { rows } = await pool.query<OperationFacts>(
    `${factsQuery(factsTables)} where ${sql} limit 1`,
    values,
  );
  return rows[0] ?? null;
}

/** The same of a request as its archived file has it. */
export async function archivedFacts(pool: Reader, line: string): Promise<OperationFacts> {
  return onlyRow(await pool.query<OperationFacts>(factsQuery(asArchived(factsTables, 1)), [line]));
}

export interface OperationTrail {
  readonly losses: { readonly cause: string; readonly estimate: Micropoints; readonly at: Date }[];
  readonly refunds: {
    readonly id: string;
    readonly amount: Micropoints;
    readonly reason: string;
    readonly actor: string;
    readonly at: Date;
  }[];
}

/** The losses and the refunds of a request. */
export async function operationTrail(pool: Reader, operationId: string): Promise<OperationTrail> {
  const [losses, refunds] = await Promise.all([
    pool.query<{ cause: string; estimate: string; at: Date }>(
      "select cause, estimate, created_at as at from operator_loss where operation_id = $1 order by id limit 20",
      [operationId],
    ),
    pool.query<{ id: string; amount: string; reason: string; actor: string; at: Date }>(
      "select id::text, amount, reason, actor, created_at as at from ledger_entry e where operation_id = $1 order by e.id limit 100",
      [operationId],
    ),
  ]);
  return {
    losses: losses.rows.map((row) => ({ ...row, estimate: BigInt(row.estimate) })),
    refunds: refunds.rows.map((row) => ({ ...row, amount: BigInt(row.amount) })),
  };
}
