import type { Reader } from "../db/pool";
import { RelayError } from "../errors";
import { isIdOf, timeOfId } from "../ids";
import { archivedLine, operationsNear } from "./archived";
import type { QueryDeps } from "./query-deps";
import { archivedFacts, findOperation, type OperationFacts } from "./request-log";

/**
 * The operation for a ledger id, a request id or a task id; null when there is none. A request id
 * contains its time.
 */
export async function operationNamed(
  { pool }: Pick<QueryDeps, "pool">,
  id: string,
): Promise<OperationFacts | null> {
  if (isIdOf("task", id)) return findOperation(pool, { task: id });
  const madeAt = timeOfId("request", id);
  if (madeAt === null) return findOperation(pool, { operation: id });
  return findOperation(pool, { request: id, between: operationsNear(madeAt) });
}

/** As `operationNamed`, but rejects with `not_found` instead of returning null. */
export async function requireOperation(
  deps: Pick<QueryDeps, "pool">,
  id: string,
): Promise<OperationFacts> {
  const found = await operationNamed(deps, id);
  if (found === null) throw new RelayError("not_found");
  return found;
}

/** The operation of a video task, which is still there when its request was dropped. */
async function operationOfTask(pool: Reader, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    "select operation_id as id from video_task where id = $1",
    [id],
  );
  return rows[0]?.id ?? null;
}

/**
 * A request of a dropped month by the same names, with its line in its file. Rejects with
 * `not_found`.
 */
export async function requireArchived(
  deps: Pick<QueryDeps, "pool" | "archive">,
  id: string,
): Promise<{ facts: OperationFacts; line: string }> {
  const named = isIdOf("task", id) ? await operationOfTask(deps.pool, id) : id;
  const line = named === null ? null : await archivedLine(deps, named);
  if (line === null) throw new RelayError("not_found");
  return { facts: await archivedFacts(deps.pool, line), line };
}
