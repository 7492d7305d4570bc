/** The requests of an account by filter, as a paged list. Read-only. */
import type { Reader } from "../db/pool";
import {
  type HistoryLine,
  knownRequests,
  type RequestRow,
  readCursor,
  requestColumns,
  requestLine,
  writeCursor,
} from "./history";
import { candidates } from "./usage-candidates";
import { filterFailure, type UsageFilter } from "./usage-filter";

const columns = requestColumns();

export interface UsagePage {
  readonly lines: HistoryLine[];
  readonly nextCursor: string | null;
}

/**
 * A page of requests by the time they were made, newest first. Throws `invalid_value` for a cursor
 * that is not ours or an unknown time zone.
 */
export async function usagePage(
  pool: Reader,
  accountId: string,
  filter: UsageFilter,
  { cursor, limit = 50 }: { cursor?: string | undefined; limit?: number } = {},
): Promise<UsagePage> {
  const after = readCursor(cursor).request;
  const { sql, values } = candidates(accountId, filter, after, limit + 1);
  const { rows } = await pool
    .query<RequestRow>(
      `with page as materialized (${sql})
       select ${columns} from page p join (${knownRequests}) on r.id = p.id order by r.created_at desc, r.id desc`,
      values,
    )
    .catch((error: unknown) => Promise.reject(filterFailure(error)));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    lines: page.map(requestLine),
    nextCursor:
      rows.length > page.length && last
        ? writeCursor({ request: [last.exact, last.id], entry: null })
        : null,
  };
}

const RUNNING_MAX = 50;

/** The account's requests that hold points now, newest first, at most 50. */
export async function runningRequests(pool: Reader, accountId: string): Promise<HistoryLine[]> {
  const { rows } = await pool.query<RequestRow>(
    `select ${columns} from open_request q join (${knownRequests}) on r.id = q.id
      where q.account_id = $1 order by r.created_at desc, r.id desc limit ${RUNNING_MAX}`,
    [accountId],
  );
  return rows.map(requestLine);
}
