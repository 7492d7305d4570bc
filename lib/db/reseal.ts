/**
 * Secrets of rows that are encrypted under the installation's secret: encrypted anew under the current
 * one, while servers accept both.
 */
import type pg from "pg";
import type { Secrets } from "../crypto/secrets";

const READ_AT_ONCE = 1000;

interface SealedRow {
  readonly id: string;
  readonly sealed: Buffer;
}

/** The secrets of one table. */
export interface SealedKind<Row extends SealedRow = SealedRow> {
  /** What they are, for people. */
  readonly name: string;
  /** SQL: at most `$2` rows after the id `$1`, in the order of their ids. */
  readonly read: string;
  /** SQL: puts `anew` of the row `$1` in its place, unless it was replaced meanwhile. */
  readonly replace: string;
  /** The parameters of `replace` from `$2` on; null for a row that `previous` does not open. */
  anew(row: Row, previous: string, current: string): unknown[] | null;
}

/** The parameters of `replace` for each row under the previous secret, in batches. */
async function* previousRows<Row extends SealedRow>(
  pool: pg.Pool,
  { read, anew }: SealedKind<Row>,
  { accepted: [, previous], current }: Secrets,
): AsyncGenerator<unknown[]> {
  if (previous === undefined) return;
  for (let after = ""; ; ) {
    const { rows } = await pool.query<Row>(read, [after, READ_AT_ONCE]);
    for (const row of rows) {
      const values = anew(row, previous, current);
      if (values !== null) yield [row.id, ...values];
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Whether one is still under the previous secret. */
export async function hasPrevious<Row extends SealedRow>(
  pool: pg.Pool,
  kind: SealedKind<Row>,
  secrets: Secrets,
): Promise<boolean> {
  for await (const _ of previousRows(pool, kind, secrets)) return true;
  return false;
}

/** Each in a commit of its own. */
export async function reseal<Row extends SealedRow>(
  pool: pg.Pool,
  kind: SealedKind<Row>,
  secrets: Secrets,
): Promise<void> {
  for await (const values of previousRows(pool, kind, secrets))
    await pool.query(kind.replace, values);
}
