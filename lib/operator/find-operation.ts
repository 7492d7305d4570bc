import { RelayError } from "../errors";
import { firstOperationId, isIdOf, timeOfId } from "../ids";
import { findOperation, type OperationFacts } from "../ledger/request-log";
import type { SiteParts } from "../site/site-parts";

const MINUTE_MS = 60_000;

/** The operation behind a ledger id, a request id or a task's id; null when there is none. An id of a request tells its time. */
export async function operationNamed({ pool }: Pick<SiteParts, "pool">, id: string): Promise<OperationFacts | null> {
  if (isIdOf("task", id)) return findOperation(pool, { task: id });
  const madeAt = timeOfId("request", id);
  if (madeAt === null) return findOperation(pool, { operation: id });
  // A request may wait in line before its points are held.
  const between: [string, string] = [firstOperationId(madeAt - MINUTE_MS), firstOperationId(madeAt + 15 * MINUTE_MS)];
  return findOperation(pool, { request: id, between });
}

export async function requireOperation(parts: Pick<SiteParts, "pool">, id: string): Promise<OperationFacts> {
  const found = await operationNamed(parts, id);
  if (found === null) throw new RelayError("not_found");
  return found;
}
