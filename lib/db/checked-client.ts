import pg from "pg";

/** In the shape of PostgreSQL's own refusal of such text. */
class UnstorableText extends Error {
  readonly code = "22021";
}

const isUnstorable = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\0") || !value.isWellFormed() : Array.isArray(value) && value.some(isUnstorable);

type Callback = (error: Error | null, result?: unknown) => void;

/**
 * A connection that refuses text which PostgreSQL would refuse (NUL) or change without a word (half of a surrogate pair) before it
 * is sent; see `isUnstorable` in `refusal.ts`.
 */
export class CheckedClient extends pg.Client {
  // One signature for the many that pg has.
  override query(config: never, values?: never, callback?: never): never {
    const given: unknown = Array.isArray(values) ? values : (config as { values?: unknown } | null)?.values;
    if (!isUnstorable(given)) return super.query(config, values as never, callback as never) as never;
    const error = new UnstorableText("a value has text that cannot be stored");
    const answer = [values, callback].find((each) => typeof each === "function") as Callback | undefined;
    if (answer === undefined) return Promise.reject(error) as never;
    process.nextTick(answer, error);
    return undefined as never;
  }
}
