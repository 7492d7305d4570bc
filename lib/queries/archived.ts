/** Requests of dropped months, which are read from files. Read-only. */

import { firstOperationId, isOperationId, timeOfId, timeOfOperation } from "../crypto/ids";
import type { Reader } from "../db/pool";
import type { ArchivedName, ArchivedRequests } from "../ledger/archive/archive-register";
import { requestOfLine } from "../ledger/archive/archive-rows";

const MINUTE_MS = 60_000;

/** The tables of a query with a parameter, the line of a file, in place of one request. */
export const asArchived = (tables: string, place: number): string =>
  tables.replace("request_known r", `${requestOfLine(`$${place}`)} r`);

/**
 * The range of operation ids that a request can have whose answer's id has this time, in milliseconds.
 * The operation is younger than the answer's id when the request waited for a slot before its hold.
 */
export const operationsNear = (madeAt: number): [string, string] => [
  firstOperationId(madeAt - MINUTE_MS),
  firstOperationId(madeAt + 15 * MINUTE_MS),
];

/** Null for a text that names no request. */
export function archivedName(id: string): { name: ArchivedName; at: number } | null {
  const madeAt = timeOfId("request", id);
  if (madeAt !== null)
    return { name: { request: id, between: operationsNear(madeAt) }, at: madeAt };
  return isOperationId(id) ? { name: { operation: id }, at: timeOfOperation(id) } : null;
}

/**
 * A request by its operation's id or its request's id, as its file has it; null when there is none.
 * With an account: no file is read unless the account had requests about that time.
 */
export async function archivedLine(
  { pool, archive }: { readonly pool: Reader; readonly archive: ArchivedRequests },
  id: string,
  accountId: string | null = null,
): Promise<string | null> {
  const found = archivedName(id);
  if (found === null) return null;
  if (accountId !== null) {
    const { rowCount } = await pool.query(
      `select from usage_hour where account_id = $1 and hour > to_timestamp($2::float8 / 1000) - interval '2 hours'
          and hour <= to_timestamp($2::float8 / 1000) + interval '1 hour' limit 1`,
      [accountId, found.at],
    );
    if (rowCount === 0) return null;
  }
  return archive.find(found.name, accountId);
}
