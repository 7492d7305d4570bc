import { isIdOf, timeOfId } from "../crypto/ids";
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { droppedPartsWith } from "../ledger/archive/archive-register";
import { archivedLine, archivedName, operationsNear } from "./archived";
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

/** The operation of a video task, which is still there when its request was dropped. */
async function operationOfTask(pool: Reader, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    "select operation_id as id from video_task where id = $1",
    [id],
  );
  return rows[0]?.id ?? null;
}

/** Whether the request with this id, if there is one, is only in an archived file. */
async function isOfDroppedMonth(pool: Reader, id: string): Promise<boolean> {
  const named = isIdOf("task", id) ? await operationOfTask(pool, id) : id;
  const found = named === null ? null : archivedName(named);
  return found !== null && (await droppedPartsWith(pool, found.name)).length > 0;
}

/**
 * The operation whose charge is to be refunded, by the same names. Rejects with `not_found`, and says
 * so when it may be archived.
 */
export async function operationToRefund(
  { pool }: Pick<QueryDeps, "pool">,
  id: string,
): Promise<OperationFacts> {
  const found = await operationNamed({ pool }, id);
  if (found !== null) return found;
  if (!(await isOfDroppedMonth(pool, id))) throw new RelayError("not_found");
  throw new RelayError("not_found", {
    message:
      "The requests of that month are archived, and their charges cannot be refunded. Add points to the account instead.",
  });
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
