import pg from "pg";
import { UnstorableText } from "./database-errors";

const isUnstorable = (value: unknown): boolean =>
  typeof value === "string" ? value.includes("\0") || !value.isWellFormed() : Array.isArray(value) && value.some(isUnstorable);

type Callback = (error: Error) => void;
type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A connection that refuses text before it is sent if PostgreSQL would refuse it (NUL) or silently
 * change it (an unpaired surrogate). See `isUnstorable` in `database-errors.ts`.
 */
export class CheckedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const send = this.query.bind(this) as Query;
    const checked: Query = (config, values, callback) => {
      const given = Array.isArray(values) ? values : (config as { values?: unknown } | null)?.values;
      if (!isUnstorable(given)) return send(config, values, callback);
      const error = new UnstorableText("a value has text that cannot be stored");
      const answer = [values, callback].find((each) => typeof each === "function") as Callback | undefined;
      if (answer === undefined) return Promise.reject(error);
      process.nextTick(answer, error);
    };
    this.query = checked as pg.Client["query"];
  }
}
