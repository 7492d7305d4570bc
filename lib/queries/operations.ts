import { RelayError } from "../errors";
import { firstOperationId, isIdOf, timeOfId } from "../ids";
import type { QueryDeps } from "./query-deps";
import { findOperation, type OperationFacts } from "./request-log";

const MINUTE_MS = 60_000;

/** The operation behind a ledger id, a request id or a task's id; null when there is none. An id of a request tells its time. */
export async function operationNamed({ pool }: Pick<QueryDeps, "pool">, id: string): Promise<OperationFacts | null> {
  if (isIdOf("task", id)) return findOperation(pool, { task: id });
  const madeAt = timeOfId("request", id);
  if (madeAt === null) return findOperation(pool, { operation: id });
  // A request may wait in line before its points are held.
  const between: [string, string] = [firstOperationId(madeAt - MINUTE_MS), firstOperationId(madeAt + 15 * MINUTE_MS)];
  return findOperation(pool, { request: id, between });
}

/** As `operationNamed`. Rejects with `not_found` where it answers null. */
export async function requireOperation(deps: Pick<QueryDeps, "pool">, id: string): Promise<OperationFacts> {
  const found = await operationNamed(deps, id);
  if (found === null) throw new RelayError("not_found");
  return found;
}
