/** What the database, or the check before it, refused: drivers put the SQLSTATE in different places. */

type Refused = { readonly state: string; readonly message: string };

const DEPTH_MAX = 5;

function isRefusal(error: unknown, fits: (refused: Refused) => boolean): boolean {
  let each = error;
  for (let depth = 0; depth < DEPTH_MAX && typeof each === "object" && each !== null; depth++) {
    const { code, message, originalCode, originalMessage, cause, meta } = each as Record<string, unknown>;
    if (fits({ state: String(originalCode ?? code), message: String(originalMessage ?? message) })) return true;
    each = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError ?? cause;
  }
  return false;
}

/** Whether an insert was refused, by the trigger function `limit_rows`, because there are as many rows as there may be. */
export const isCountLimit = (error: unknown): boolean => isRefusal(error, ({ state }) => state === "RL001");

/**
 * Whether a value was refused because its text cannot be stored: NUL in a text, NUL as an escape in JSON, half of a surrogate pair in
 * JSON (which is written by us, so that nothing else can be wrong with it).
 */
export const isUnstorable = (error: unknown): boolean =>
  isRefusal(error, ({ state, message }) => state === "22021" || state === "22P05" || (state === "22P02" && message.includes("type json")));
