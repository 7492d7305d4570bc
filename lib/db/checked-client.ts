import type pg from "pg";
import { isRecord } from "../values/records";
import { UnstorableText } from "./database-errors";
import { PrimaryClient } from "./primary-client";

const isUnstorable = (value: unknown): boolean =>
  typeof value === "string"
    ? value.includes("\0") || !value.isWellFormed()
    : Array.isArray(value) && value.some(isUnstorable);

type Callback = (error: Error) => void;
const isCallback = (value: unknown): value is Callback => typeof value === "function";
type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown;

/**
 * A connection that refuses text before it is sent if PostgreSQL would refuse it (NUL) or silently
 * change it (an unpaired surrogate). See `isUnstorable` in `database-errors.ts`.
 */
export class CheckedClient extends PrimaryClient {
  constructor(config: pg.ClientConfig = {}) {
    super(config);
    const send = this.query.bind(this) as Query;
    const checked: Query = (config, values, callback) => {
      const given = Array.isArray(values) ? values : isRecord(config) ? config.values : undefined;
      if (!isUnstorable(given)) return send(config, values, callback);
      const error = new UnstorableText("a value has text that cannot be stored");
      const answer = [values, callback].find(isCallback);
      if (answer === undefined) return Promise.reject(error);
      process.nextTick(answer, error);
    };
    this.query = checked as pg.Client["query"];
  }
}
