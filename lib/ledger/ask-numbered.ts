import type pg from "pg";
import { onlyRow } from "../db/only-row";
import { onConnection } from "../db/transaction";

/** Statements are numbered up to this, and then anew. */
const NUMBERS = 2 ** 31;
/** Of the whole process: its pools may share no number, since each asks on several connections. */
let sent = 0;

/**
 * Asks for one row with `answer` (text) and `number`, the last parameter of the statement. Its answer
 * names the statement, so that an answer that came twice is never taken for the next; then, and after
 * any error, the connection is closed.
 */
export function askNumbered(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<string> {
  sent = (sent + 1) % NUMBERS;
  const number = sent;
  return onConnection(pool, async (client) => {
    const row = onlyRow(
      await client.query<{ answer: string; number: number }>(text, [...values, number]),
    );
    if (row.number !== number) throw new Error("the database answered another statement");
    return row.answer;
  });
}
