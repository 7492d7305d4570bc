/** SQLSTATE of the trigger function `limit_rows`, which holds limits by count in the database. */
const LIMIT_STATE = "RL001";
const DEPTH_MAX = 4;

/** Whether an insert was refused because there are as many rows as there may be; drivers put the state in different places. */
export function isCountLimit(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < DEPTH_MAX && typeof each === "object" && each !== null; depth++) {
    const { code, originalCode, cause, meta } = each as Record<string, unknown>;
    if (code === LIMIT_STATE || originalCode === LIMIT_STATE) return true;
    each = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError ?? cause;
  }
  return false;
}
