import { RelayError } from "../errors";
import { firstOperationId, isIdOf, timeOfId } from "../ids";
import type { QueryDeps } from "./query-deps";
import { findOperation, type OperationFacts } from "./request-log";

const MINUTE_MS = 60_000;

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
  // A request may wait for a place before its points are held.
  const between: [string, string] = [
    firstOperationId(madeAt - MINUTE_MS),
    firstOperationId(madeAt + 15 * MINUTE_MS),
  ];
  return findOperation(pool, { request: id, between });
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
